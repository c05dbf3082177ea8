import type { RecordedAnswers } from "../../components/account";
import { architectureOf } from "../../components/machines";

/** A resource of a stack's state, as `pulumi stack export` writes it. */
export interface RecordedResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** Placeholders for an image and a zone that only the account knows. */
const NOT_LOOKED_UP = { imageId: "ami-00000000000000000", zoneId: "Z00000000000000000000" };

/** The name of a `MachineImage`: that of its configuration, and the architecture where a pool has several. */
const IMAGE_NAME = /^(?<machines>.*?)-image(?:-(?<architecture>amd64|arm64))?$/;

/**
 * What the state of a stack says of the account: its images and its hosted zone. Unrecorded ones get an id of zeros, for
 * example the image of a release that no machine has run yet.
 */
export function answersOfState(recorded: readonly RecordedResource[]): RecordedAnswers {
  const find = (kind: string, resourceName: string) =>
    recorded.find(
      ({ type, urn }) => type.endsWith(`:${kind}`) && urn.endsWith(`::${resourceName}`),
    );
  return {
    imageId: (name, { talosVersion, architecture }) => {
      const { machines = "", architecture: ofName } = IMAGE_NAME.exec(name)?.groups ?? {};
      const key = [`${machines}-control-plane`, machines].find(
        (each) => find("MachineConfiguration", each) !== undefined,
      );
      if (key === undefined) {
        return NOT_LOOKED_UP.imageId;
      }
      const before = find("MachineConfiguration", key)?.inputs?.talosVersion;
      const made = find("LaunchTemplate", key) ?? find("Instance", `${key}-1`);
      const type = made?.inputs?.instanceType;
      // A template without a type, for requirements, doesn't tell. It keeps its architecture mostly.
      const former = ofName ?? (typeof type === "string" ? architectureOf(type) : architecture);
      const isSame = before === talosVersion && former === architecture;
      const imageId = isSame ? find("MachineImage", name)?.outputs?.imageId : undefined;
      return textOr(imageId, NOT_LOOKED_UP.imageId);
    },
    hostedZone: (name, given) => {
      const { zoneId, nameServers } = find("DnsRecord", name)?.outputs ?? {};
      return {
        zoneId: given ?? textOr(zoneId, NOT_LOOKED_UP.zoneId),
        nameServers: Array.isArray(nameServers) ? nameServers.map(String) : [],
      };
    },
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
