import { FIRST_MINOR_WITHOUT_REBOOT } from "../effects/bootFiles";
import { type ConfigDocument, isMapping, textAt } from "../machineConfig";
import { NO_VALUE } from "./birthTable";
import {
  encryptionOf,
  keepsKey,
  keysOf,
  OWN_VOLUMES,
  placementOf,
  PROMOTABLE,
} from "./volumeEncryption";

/** A setting as an outline has it. */
export interface FoundSetting {
  readonly key: string;
  readonly path: string;
  readonly value: string;
  readonly isTold?: boolean;
  readonly reason: string;
  /** Whether the configuration keeps what a former value made. */
  readonly keeps?: (former: string) => boolean;
  /** Whether it isn't set, and has the value of another setting. */
  readonly isFollowing?: boolean;
  readonly isLasting?: false;
}

/** The place of a machine's way to a new volume. */
const REPLACE =
  'replace one machine after another (in a TalosCluster machines["1"].replacement), and give the patch to each machine with its replacement';
const TURNED = `Talos encrypts a volume only when it makes it. A volume that exists can't be opened with the change`;
const OWN_TURNED = `${TURNED}, so the machine stays in its next boot, for example of an upgrade of Talos. Talos up to v1.13 boots at once if the change is in machine.systemDiskEncryption. Instead, ${REPLACE}`;
const USER_TURNED = `${TURNED}, so it is missing from the machine's next boot on, and Talos may format a raw volume. Add a volume with another name, move the data, then remove this one`;
const USER_FILESYSTEM =
  "Talos formats a volume only when it makes it, and doesn't mount one with another file system, so it is missing from the machine's next boot on. Add a volume with another name, move the data, then remove this one";
const OWN_PLACE =
  "Talos moves no volume of a machine that exists to or from a partition of its own, and refuses the configuration. Leave it as it was, or replace one machine after another";
const LOST_KEY =
  "none of the keys that the volume has is in the new configuration, and Talos adds a key only to a volume that it has opened with another one";
const BOTH_KEYS =
  "Add the new key in another slot first, restart the machines, and remove the former one then";
const OWN_KEYS = `${LOST_KEY}, so the machine stays in its next boot. ${BOTH_KEYS}`;
const USER_KEYS = `${LOST_KEY}, so the volume is missing from the machine's next boot on. ${BOTH_KEYS}`;

/** What the volumes of a machine keep from when they were made. */
export function ofVolumes(
  outline: ConfigDocument,
  talosMinor: number | undefined,
): readonly FoundSetting[] {
  const canPlace = (talosMinor ?? 0) >= FIRST_MINOR_WITHOUT_REBOOT;
  const known = canPlace ? [...OWN_VOLUMES, ...PROMOTABLE] : OWN_VOLUMES;
  const own = known.flatMap((name): FoundSetting[] => {
    const id = `VolumeConfig/${name}`;
    const { path, provider = NO_VALUE } = encryptionOf(outline, id);
    const encryption = { key: `${id}.encryption.provider`, path, value: provider };
    const place = { key: `${id}.provisioning`, path: `${id}.provisioning` };
    return [
      { ...encryption, reason: OWN_TURNED },
      ...ofKeys(outline, id, OWN_KEYS),
      ...(PROMOTABLE.includes(name)
        ? [{ ...place, value: placementOf(outline, name), reason: OWN_PLACE }]
        : []),
    ];
  });
  const others = Object.entries(outline).flatMap(([id, document]): FoundSetting[] => {
    const kind = /^(User|Raw|Swap)VolumeConfig\//.exec(id)?.[1];
    if (kind === undefined || !isMapping(document)) {
      return [];
    }
    const { path, provider = NO_VALUE } = encryptionOf(outline, id);
    const type = textAt(document.filesystem, "type") ?? "xfs";
    const typePath = `${id}.filesystem.type`;
    return [
      { key: path, path, value: provider, reason: USER_TURNED },
      ...ofKeys(outline, id, USER_KEYS),
      ...(kind === "User" && textAt(document, "volumeType") !== "directory"
        ? [{ key: typePath, path: typePath, value: type, reason: USER_FILESYSTEM }]
        : []),
    ];
  });
  return [...own, ...others];
}

/** The keys of an encrypted volume. Source: talos v1.12.1, internal/pkg/encryption/encryption.go. */
function ofKeys(outline: ConfigDocument, id: string, reason: string): readonly FoundSetting[] {
  const encryption = encryptionOf(outline, id);
  const value = keysOf(encryption).join("; ");
  return value === ""
    ? []
    : [
        {
          key: `${id}.encryption.keys`,
          path: encryption.path.replace(/provider$/, "keys"),
          value,
          reason,
          isLasting: false,
          keeps: (former) => keepsKey(former.split("; "), value.split("; ")),
        },
      ];
}
