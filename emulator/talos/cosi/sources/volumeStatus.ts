import type { SourceValue } from "../resource";
import { encodeSpec } from "../specCodec";

/** The status of one of Talos' volumes. */
export function volumeStatus(
  id: string,
  spec: Readonly<Record<string, string | number>> & {
    readonly type: string;
    readonly phase: string;
  },
): SourceValue {
  const { partitionUUID, parentID, filesystem, ...rest } = spec;
  return {
    id,
    spec: { ...spec },
    proto: encodeSpec("VolumeStatus", {
      ...rest,
      phase: `VOLUME_PHASE_${spec.phase.toUpperCase()}`,
      type: `VOLUME_TYPE_${spec.type.toUpperCase()}`,
      ...(partitionUUID === undefined ? {} : { partitionUuid: partitionUUID }),
      ...(parentID === undefined ? {} : { parentId: parentID }),
      ...(filesystem === undefined ? {} : { filesystem: "FILESYSTEM_TYPE_XFS" }),
    }),
  };
}
