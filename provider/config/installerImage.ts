import { ConfigError, type InputProblem, inputProblems } from "./configError";
import { checkPlatform, type Platform, PLATFORMS } from "./platform";
import { checkImageCustomization, type ImageCustomization, schematic } from "./schematic";

/**
 * The Image Factory schematic of Talos' own AMIs: its only customisation is the extension
 * `ecr-credential-provider`, with which kubelet pulls from ECR with the instance's role. With
 * another default, the first upgrade would remove that extension.
 */
export const awsSchematicId = schematic().id;

/** The choices for the installer image. */
export interface InstallerOptions extends ImageCustomization {
  /**
   * The machines' platform: `aws`, `metal`, `hcloud` … There is no default. After an upgrade with
   * another platform's installer, a machine does not find its configuration, network and name.
   */
  readonly platform: Platform;
  /**
   * The Talos release of the machines, `v1.12.1`. A change upgrades machines that have a
   * `ConfigurationApply`.
   */
  readonly talosVersion: string;
  /**
   * Id of an Image Factory schematic, 64 hex digits, instead of a customization. Default: that of
   * the customization.
   */
  readonly schematicId?: string | undefined;
}

/**
 * The image that installs and upgrades a Talos machine, from the public Image Factory:
 * `factory.talos.dev/<platform>-installer/<schematic>:<version>`. It follows only from the
 * arguments, not from the version of this package. Source: docs/api.md of
 * github.com/siderolabs/image-factory; platform installers exist since Talos v1.10.
 *
 * Until its first upgrade, a machine that boots from an AMI runs what that AMI contains, so the AMI
 * must have the same schematic.
 *
 * @throws ConfigError that lists all problems of the options
 */
export function installerImage(options: InstallerOptions): string {
  const problems = [
    ...inputProblems(["platform"], missingPlatform(options.platform)),
    ...checkInstallerOptions(options),
  ];
  if (problems.length > 0) {
    throw new ConfigError(
      problems.map(({ property, reason }) => ({ document: "", path: property, message: reason })),
    );
  }
  const { platform, talosVersion, ecrCredentialProvider = platform === "aws" } = options;
  const id = options.schematicId ?? schematic({ ...options, ecrCredentialProvider }).id;
  return `factory.talos.dev/${platform}-installer/${id}:${talosVersion}`;
}

/** The message about a missing platform. */
export function missingPlatform(platform: string | undefined): string | undefined {
  return platform === undefined
    ? `it is missing: set the machines' platform, "aws" or another of ${PLATFORMS.join(", ")}. It selects their installer, which was always the one of "aws" before this option existed`
    : undefined;
}

/** All problems of the choice of an installer. Absent options are not checked. */
export function checkInstallerOptions(options: Partial<InstallerOptions>): InputProblem[] {
  const { platform, talosVersion, schematicId } = options;
  return [
    ...inputProblems(["platform"], platform === undefined ? undefined : checkPlatform(platform)),
    ...inputProblems(
      ["talosVersion"],
      talosVersion === undefined || isTalosVersion(talosVersion)
        ? undefined
        : `"${talosVersion}" is not a Talos release: write it like "v1.12.1"`,
    ),
    ...inputProblems(
      ["schematicId"],
      schematicId === undefined ? undefined : checkSchematicId(schematicId, options),
    ),
    ...checkImageCustomization(options),
  ];
}

const customizations = ["systemExtensions", "ecrCredentialProvider", "extraKernelArgs"] as const;

function checkSchematicId(id: string, options: ImageCustomization): string | undefined {
  if (!isSchematicId(id)) {
    return `"${id}" is not the id of an Image Factory schematic: write the 64 hex digits that https://factory.talos.dev shows for it`;
  }
  const given = customizations.filter((name) => options[name] !== undefined);
  return given.length === 0
    ? undefined
    : `names a whole schematic and can't be set together with ${given.join(" and ")}: put everything into the schematic, or leave the id out`;
}

/** Whether a text names a Talos release exactly: `v1.12.1`, `v1.13.0-beta.1`. */
function isTalosVersion(text: string): boolean {
  return /^v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(text);
}

/** Whether a text has the form of an Image Factory schematic's id: 64 lower-case hex digits. */
function isSchematicId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
