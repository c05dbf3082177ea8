import { staysEncrypted } from "../birth/volumeEncryption";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { parseByteSize } from "../schema/byteSize";
import { valueAt } from "../settings/keyPaths";
import { FIRST_MINOR_WITHOUT_REBOOT } from "./bootFiles";
import { type Effect, type EffectRow, rows } from "./effectRow";

const VOLUME =
  "a volume that exists keeps its own: only new volumes follow it. For Talos' own volumes, replace one machine after another";
const SIZE =
  "a volume that exists never shrinks, and grows only to a larger limit with grow: only new volumes follow it. For Talos' own volumes, replace one machine after another";

/** A whole volume is made and closed at once. */
const WHOLE = { whole: "live" } as const;

/**
 * When each place of a volume's settings takes effect. A volume that exists is found by its label,
 * whatever disk is selected, and grows at a boot. Keys are synchronized at a boot. With an encryption
 * that was turned on or off, it can't be opened any more: `birthSettings.ts`.
 *
 * Source: talos v1.12.1 and v1.14.1, D/controllers/block/volume_manager.go, `processVolumeConfig`,
 * and D/controllers/block/internal/volumes/{locate,grow,encrypt,format}.go.
 */
export const effectsOfVolumes: readonly EffectRow[] = [
  // Legacy disks: D/controllers/block/user_disk_config.go. Talos up to v1.13 reboots for them.
  ...rows("boot", "machine", "disks"),
  // Up to v1.13, Talos reboots for each change. v1.14 reads it at a boot.
  ...["state", "ephemeral"].map((place): EffectRow => ({
    path: `machine.systemDiskEncryption.${place}`,
    effect: "boot",
    when: (before, after, minor = 0) =>
      minor < FIRST_MINOR_WITHOUT_REBOOT ||
      staysEncrypted(before, after, `VolumeConfig/${place.toUpperCase()}`),
    otherwise: "never",
  })),
  ...volume("VolumeConfig"),
  ...["UserVolumeConfig", "RawVolumeConfig", "SwapVolumeConfig"].flatMap((kind) =>
    volume(kind, WHOLE),
  ),
  // What is mounted stays so: D/controllers/block/mount.go.
  { path: "ExistingVolumeConfig", effect: "boot", ...WHOLE },
  { path: "ExternalVolumeConfig", effect: "boot", ...WHOLE },
  // D/controllers/block/volume_trim_schedule.go, fs_scrub_schedule.go (v1.14.1).
  ...["VolumeConfig", "UserVolumeConfig", "ExistingVolumeConfig"].flatMap((kind) =>
    rows("live", kind, "trim", "scrub"),
  ),
  ...rows("live", "", "FilesystemTrimConfig", "FilesystemScrubConfig"),
  // Logical volumes grow: D/controllers/storage/{lvm_logical_volume,md_array}_reconcile.go (v1.14.1).
  ...rows("live", "", "LVMVolumeGroupConfig", "LVMLogicalVolumeConfig", "RAIDArrayConfig"),
  ...[
    ...["type", "mirrors", "stripes"].map((key) => `LVMLogicalVolumeConfig.${key}`),
    ...["level", "metadata"].map((key) => `RAIDArrayConfig.${key}`),
  ].map((path): EffectRow => ({ path, effect: "newMachine", ...WHOLE, reason: VOLUME })),
];

/** @param more what counts if the whole document comes or goes. Default: as for its settings, because Talos' own volumes exist without one */
function volume(kind: string, more: Partial<EffectRow> = {}): readonly EffectRow[] {
  const isFormatted = kind === "VolumeConfig" || kind === "UserVolumeConfig";
  const kept = [
    "provisioning.diskSelector",
    "provisioning.minSize",
    ...(isFormatted ? ["filesystem"] : []),
    ...(kind === "UserVolumeConfig" ? ["volumeType"] : []),
  ];
  const row = (key: string, effect: Effect, also: Partial<EffectRow> = {}): EffectRow => ({
    path: `${kind}.${key}`,
    effect,
    ...more,
    ...also,
  });
  const isKept = { when: staysSo, otherwise: "never" } as const;
  return [
    { path: kind, effect: "boot", ...more },
    ...kept.map((key) => row(key, "newMachine", { reason: VOLUME })),
    ...(kind === "UserVolumeConfig" ? [row("filesystem.type", "never")] : []),
    ...["maxSize", "grow"].map((key) =>
      row(`provisioning.${key}`, "boot", {
        when: (before, after, _, [id = ""]) => mayGrow(id, before, after),
        otherwise: "newMachine",
        reason: SIZE,
      }),
    ),
    // Keys, and options of opening it.
    row("encryption", "boot", isKept),
    row("encryption.provider", "never", { when: (...all) => !staysSo(...all) }),
    ...["cipher", "keySize", "blockSize"].map((key) =>
      row(`encryption.${key}`, "newMachine", { ...isKept, reason: VOLUME }),
    ),
  ];
}

/** Whether a volume's encryption is only changed, neither turned on nor off, and keeps a key. */
function staysSo(
  before: ConfigDocument,
  after: ConfigDocument,
  _: number | undefined,
  [id = ""]: readonly string[],
): boolean {
  return staysEncrypted(before, after, id);
}

/**
 * Whether a volume may grow at the next boot. Talos' own grow by default, others with `grow` only.
 * Both sizes of a percentage can't be compared here, so the volume may grow.
 */
function mayGrow(id: string, before: ConfigDocument, after: ConfigDocument): boolean {
  const [old, now] = [before, after].map((outline) => {
    const settings = valueAt(outline, [id, "provisioning"]);
    return isMapping(settings) ? settings : {};
  });
  const grows = now?.grow ?? id.startsWith("VolumeConfig/");
  const [former, limit] = [bytesOf(old?.maxSize), bytesOf(now?.maxSize)];
  const isLarger = former === undefined || limit === undefined || limit > former;
  const hadLimit = old?.maxSize !== undefined || old?.grow === false;
  // Without a limit, a volume that grows has the whole disk already.
  const wasSmall = hadLimit || (old?.grow !== true && !id.startsWith("VolumeConfig/"));
  return grows === true && isLarger && wasSmall;
}

function bytesOf(size: YamlValue | undefined): number | undefined {
  return typeof size === "number"
    ? size
    : typeof size === "string"
      ? parseByteSize(size)
      : undefined;
}
