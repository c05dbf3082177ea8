import { type InputProblem, inputProblems } from "../configError";
import type { Path } from "../path";
import { talosMinor } from "../releases/talosMinor";
import { parseByteSize } from "../schema/byteSize";
import { checkCel } from "../schema/celSyntax";
import { formats } from "../schema/formats";
import { checkEncryptionKeys, encryptionFields, type EncryptionKey } from "./encryptionKey";
import type { Generator } from "./generator";
import { configDocument } from "./mapping";

/** A volume for workloads. Talos creates it and mounts it at `/var/mnt/<name>`. */
export interface UserVolume {
  /** Its name: 1 to 34 letters, digits and hyphens. */
  readonly name: string;
  /**
   * Its kind: a `partition`, a whole `disk`, or a `directory` on EPHEMERAL without its own size and
   * keys. The last two need Talos v1.12. Default: `partition`.
   */
  readonly volumeType?: "partition" | "disk" | "directory" | undefined;
  /** The disk, as a CEL expression. Default: `!system_disk`, any disk without Talos. */
  readonly diskSelector?: string | undefined;
  /**
   * Minimum size of a partition, such as `10GiB`. One of `minSize` and `maxSize` is required.
   * Default: no minimum.
   */
  readonly minSize?: string | undefined;
  /**
   * Maximum size of a partition, such as `100GiB`, or since Talos v1.12 `80%`. Default: no maximum.
   */
  readonly maxSize?: string | undefined;
  /** Whether a partition grows with its disk. Default: false. */
  readonly grow?: boolean | undefined;
  /** The file system. Default: `xfs`. */
  readonly filesystem?: "xfs" | "ext4" | undefined;
  /**
   * Whether device files, and the owner's rights of programs (setuid), have no effect on it; and since Talos
   * v1.14, programs on it can't be started. False is for workloads that start programs there; it needs Talos
   * v1.13, for a directory v1.14. Default: true.
   */
  readonly secure?: boolean | undefined;
  /** LUKS2 keys of the volume. Default: not encrypted. */
  readonly encryption?: readonly EncryptionKey[] | undefined;
}

/** The volumes for workloads. */
export interface UserVolumesOptions {
  /** Volumes for workloads. Default: none. */
  readonly userVolumes?: readonly UserVolume[] | undefined;
}

/** The first Talos with other volume types than partitions, and with sizes in percent. */
const FIRST_MINOR_WITH_TYPES = 12;

/** The first Talos that can mount a volume otherwise, and one that is a directory. */
const FIRST_MINOR_WITH_MOUNTS = 13;
const FIRST_MINOR_WITH_DIRECTORY_MOUNTS = 14;

const volumeTypes: readonly string[] = ["partition", "disk", "directory"];
const filesystems: readonly string[] = ["xfs", "ext4"];

/** Volumes for workloads: one `UserVolumeConfig` each. */
export const userVolumes: Generator<UserVolumesOptions> = {
  check({ userVolumes: volumes = [], talosVersion, versionContract }) {
    const known = talosMinor(talosVersion ?? versionContract ?? "");
    const minor = known ?? FIRST_MINOR_WITH_TYPES;
    const names = volumes.map(({ name }) => name);
    return volumes.flatMap((volume, index) => {
      const path = ["userVolumes", index];
      const { volumeType = "partition" } = volume;
      return [
        ...inputProblems(
          [...path, "name"],
          checkName(volume.name, names.indexOf(volume.name) < index),
        ),
        ...inputProblems([...path, "volumeType"], checkType(volumeType, minor)),
        ...inputProblems([...path, "secure"], checkSecure(volume, known ?? Infinity)),
        ...(volumeType === "directory"
          ? checkIdle(path, volume, deviceSettings, "directory")
          : checkBlockDevice(path, volume, minor)),
      ];
    });
  },

  generate({ userVolumes: volumes = [] }) {
    return { documents: volumes.map(userVolumeDocument) };
  },
};

function userVolumeDocument(volume: UserVolume) {
  const { name, volumeType, minSize, maxSize, grow, filesystem, encryption, secure } = volume;
  const mount = secure === undefined ? undefined : { secure };
  if (volumeType === "directory") {
    return configDocument("UserVolumeConfig", { name, volumeType, mount });
  }
  return configDocument("UserVolumeConfig", {
    name,
    volumeType: volumeType === "partition" ? undefined : volumeType,
    provisioning: {
      diskSelector: { match: volume.diskSelector ?? "!system_disk" },
      grow,
      minSize,
      maxSize,
    },
    filesystem: filesystem && { type: filesystem },
    encryption: encryptionFields(encryption),
    mount,
  });
}

/** Source: `Validate` in types/block/user_volume_config.go, Talos v1.12.1, v1.13.9 and v1.14.1. */
function checkSecure({ secure, volumeType }: UserVolume, minor: number): string | undefined {
  const first =
    volumeType === "directory" ? FIRST_MINOR_WITH_DIRECTORY_MOUNTS : FIRST_MINOR_WITH_MOUNTS;
  return secure !== undefined && minor < first
    ? `needs Talos v1.${first}, which is the first with this setting${volumeType === "directory" ? " for directories" : ""}: leave it out`
    : undefined;
}

function checkName(name: string, isTaken: boolean): string | undefined {
  if (!/^[A-Za-z0-9-]{1,34}$/.test(name)) {
    return `${JSON.stringify(name)} is not a name for a volume: 1 to 34 letters, digits and hyphens`;
  }
  return isTaken
    ? `${JSON.stringify(name)} is the name of another volume already: give each its own`
    : undefined;
}

function checkType(type: string, minor: number): string | undefined {
  if (!volumeTypes.includes(type)) {
    return `${JSON.stringify(type)} is not a type of volume: write one of ${volumeTypes.join(", ")}`;
  }
  return type !== "partition" && minor < FIRST_MINOR_WITH_TYPES
    ? `${JSON.stringify(type)} needs Talos v1.${FIRST_MINOR_WITH_TYPES}: before, all volumes are partitions`
    : undefined;
}

/** Settings that only partitions and disks have. */
const deviceSettings = [
  "diskSelector",
  "minSize",
  "maxSize",
  "grow",
  "filesystem",
  "encryption",
] as const;

function checkIdle(
  path: Path,
  volume: UserVolume,
  settings: readonly (keyof UserVolume)[],
  what: string,
): InputProblem[] {
  return settings.flatMap((setting) =>
    inputProblems(
      [...path, setting],
      volume[setting] === undefined ? undefined : `has no effect for a ${what}: leave it out`,
    ),
  );
}

function checkBlockDevice(path: Path, volume: UserVolume, minor: number): InputProblem[] {
  const { diskSelector, filesystem = "xfs" } = volume;
  const wrong = diskSelector === undefined ? undefined : checkCel(diskSelector);
  return [
    ...inputProblems(
      [...path, "diskSelector"],
      wrong === undefined
        ? undefined
        : `${JSON.stringify(diskSelector)} is not a CEL expression, like "!system_disk": ${wrong}`,
    ),
    ...checkSizes(path, volume, minor),
    ...inputProblems(
      [...path, "filesystem"],
      filesystems.includes(filesystem)
        ? undefined
        : `${JSON.stringify(filesystem)} is not a filesystem of volumes: write one of ${filesystems.join(", ")}`,
    ),
    ...checkEncryptionKeys([...path, "encryption"], volume.encryption),
  ];
}

function checkSizes(path: Path, volume: UserVolume, minor: number): InputProblem[] {
  if (volume.volumeType === "disk") {
    return checkIdle(path, volume, ["minSize", "maxSize", "grow"], "whole disk");
  }
  const { minSize, maxSize } = volume;
  return [
    ...inputProblems(
      [...path, "minSize"],
      minSize === undefined && maxSize === undefined
        ? 'is missing, or maxSize: write how big the volume is, like "10GiB"'
        : checkSize(minSize, "size"),
    ),
    ...inputProblems(
      [...path, "maxSize"],
      checkSize(maxSize, minor < FIRST_MINOR_WITH_TYPES ? "size" : "sizeOrPercentage") ??
        checkOrder(minSize, maxSize),
    ),
  ];
}

function checkOrder(minSize = "", maxSize = ""): string | undefined {
  const [least, most] = [parseByteSize(minSize), parseByteSize(maxSize)];
  return least !== undefined && most !== undefined && least > most
    ? `${JSON.stringify(maxSize)} is less than minSize, ${JSON.stringify(minSize)}`
    : undefined;
}

function checkSize(size: string | undefined, name: string): string | undefined {
  const format = formats.get(name);
  return size === undefined || format === undefined || format.accepts(size)
    ? undefined
    : `${JSON.stringify(size)} is not ${format.description}`;
}
