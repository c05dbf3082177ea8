import { inputProblems } from "../configError";
import type { MachineConfigInput } from "../machineConfigInput";
import { talosMinor } from "../releases/talosMinor";
import type { VersionContract } from "../releases/versionContract";
import type { Generator } from "./generator";
import { documentOf } from "./mapping";

/** How often machines tell their disks which blocks are free, in contracts that say so. */
const TRIM_INTERVAL = "168h0m0s";

/** The first Talos that can mount a volume otherwise. Source: types/block/volume_config.go, v1.13.9. */
const FIRST_MINOR_WITH_MOUNTS = 13;

/** How Talos' own volumes are mounted. */
export interface VolumeMountOptions {
  /**
   * Whether device files, and the owner's rights of programs (setuid), have no effect on `/var`. False
   * is for workloads that need these there; it needs Talos v1.13. Programs on `/var` can be started either
   * way, with Talos v1.14.1. Default: true.
   */
  readonly secureEphemeral?: boolean | undefined;
}

/**
 * What contracts from v1.14 on say of a machine itself without options: how Talos is installed, how
 * file systems are kept, and that workloads run apart from its services. Source: config/generate/{init,
 * block,security_profile}.go, Talos v1.14.1.
 */
export const systemDocuments: Generator<MachineConfigInput> = {
  check: ({ secureEphemeral, talosVersion, versionContract }) =>
    inputProblems(
      ["secureEphemeral"],
      secureEphemeral !== undefined &&
        (talosMinor(talosVersion ?? versionContract ?? "") ?? Infinity) < FIRST_MINOR_WITH_MOUNTS
        ? `needs Talos v1.${FIRST_MINOR_WITH_MOUNTS}, which is the first with this setting: leave it out`
        : undefined,
    ),

  generate({ installDisk, installerImage, ...options }, contract) {
    const { systemDocuments: hasDocuments, filesystemTrim, workloadIsolation } = contract;
    const secure = options.secureEphemeral ?? usualMount(options, contract);
    const diskSelector = { match: `disk.dev_path == ${JSON.stringify(installDisk)}` };
    const installation = {
      installer: { image: installerImage },
      provisioning: { diskSelector, wipe: false },
    };
    return {
      documents: [
        ...documentOf("UnattendedInstallConfig", hasDocuments ? installation : undefined),
        ...documentOf(
          "VolumeConfig",
          secure === undefined ? undefined : { name: "EPHEMERAL", mount: { secure } },
        ),
        ...documentOf(
          "FilesystemTrimConfig",
          filesystemTrim ? { interval: TRIM_INTERVAL } : undefined,
        ),
        ...documentOf(
          "SecurityProfileConfig",
          workloadIsolation ? { workloadIsolation } : undefined,
        ),
      ],
    };
  },
};

/**
 * How EPHEMERAL is mounted without an option; undefined for what Talos does itself. It is secure where it
 * has a document, so also where one encrypts it (config/volume.go and types/block/volume_config.go, v1.14.1).
 */
function usualMount(
  { diskEncryption }: Pick<MachineConfigInput, "diskEncryption">,
  { volumeDocuments, secureEphemeral, secureEncryptedEphemeral }: VersionContract,
): boolean | undefined {
  const isEncryptedByDocument = volumeDocuments && diskEncryption?.ephemeral !== undefined;
  return secureEphemeral
    ? true
    : isEncryptedByDocument && !secureEncryptedEphemeral
      ? false
      : undefined;
}
