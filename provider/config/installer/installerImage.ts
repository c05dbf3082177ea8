import { type InputProblem, inputProblems, refuse } from "../configError";
import type { ConfigDocument } from "../machineConfig";
import { NEWEST_RELEASES } from "../releases/newestReleases";
import { releaseOfInstaller } from "../schema/talosSchemas";
import { INSTALLER } from "../settings/installer";
import { settingIn } from "../settings/settingIn";
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
   * The Talos release of the machines, `v1.14.1`. A change upgrades machines that have a
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
  refuse([
    ...inputProblems(["platform"], missingPlatform(options.platform)),
    ...checkInstallerOptions(options),
  ]);
  const { platform, talosVersion, ecrCredentialProvider = platform === "aws" } = options;
  const id = options.schematicId ?? schematic({ ...options, ecrCredentialProvider }).id;
  return `factory.talos.dev/${platform}-installer/${id}:${talosVersion}`;
}

/**
 * The platform of an installer, and the schematic of one that `installerImage` makes. An installer whose name
 * doesn't tell is taken for one of `metal`.
 */
export function schematicInstaller(image: string): {
  readonly platform: Platform;
  readonly schematicId?: string;
} {
  const platform = platformOf(image) ?? "metal";
  const [, name, schematicId] =
    /^factory\.talos\.dev\/([a-z-]+)-installer\/([0-9a-f]{64}):/.exec(image) ?? [];
  return { platform, ...(name === platform && schematicId !== undefined && { schematicId }) };
}

/** The installers of Talos and of the Image Factory without a platform in their names: of `metal`. */
const METAL_INSTALLER =
  /^(?:ghcr\.io\/siderolabs\/installer|factory\.talos\.dev\/installer(?:-secureboot)?\/)/;

/**
 * The platform of an installer, by its name, such as `aws-installer`. Undefined for other names, of
 * which only their owner knows.
 */
function platformOf(image: string): Platform | undefined {
  if (METAL_INSTALLER.test(image)) {
    return "metal";
  }
  const [, name] = /\/([a-z-]+)-installer(?:-secureboot)?(?:[/:@]|$)/.exec(image) ?? [];
  return PLATFORMS.find((platform) => platform === name);
}

/**
 * What is wrong with the installer that patches leave in a configuration: it is of another platform or
 * another release than the machines', or there is none. An upgrade would go there, or would not come.
 *
 * @param outline of the rendered configuration
 */
export function patchedInstallerProblem(
  outline: ConfigDocument,
  machines: Pick<InstallerOptions, "platform" | "talosVersion">,
): string | undefined {
  const { place, value: image } = settingIn(outline, INSTALLER);
  const problem =
    typeof image === "string" && image !== ""
      ? installerProblem(image, machines)
      : "is missing, and talosVersion upgrades machines by it: leave machine.install and the document UnattendedInstallConfig as they are";
  return problem === undefined ? undefined : `${place.join(".")}: ${problem}`;
}

function installerProblem(
  image: string,
  { platform, talosVersion }: Pick<InstallerOptions, "platform" | "talosVersion">,
): string | undefined {
  const quoted = JSON.stringify(image);
  const other = platformOf(image);
  if (other !== undefined && other !== platform) {
    return `${quoted} is an installer for machines of the platform "${other}", and these are of "${platform}": after an upgrade with it, a machine looks for its configuration, network and name in the wrong place. Leave it out of the patches; options of the image, like systemExtensions, choose the installer`;
  }
  const [, schematicOf] = /^factory\.talos\.dev\/[a-z-]+\/([^/:@]+)/.exec(image) ?? [];
  if (schematicOf !== undefined && !isSchematicId(schematicOf)) {
    return `${quoted} names no schematic of the Image Factory: write the 64 hex digits that https://factory.talos.dev shows for it, or leave it out of the patches`;
  }
  if (!/[:@][^/]+$/.test(image)) {
    return `${quoted} names no release: write one behind it, like ":${talosVersion}", or leave it out of the patches`;
  }
  const release = releaseOfInstaller(image);
  return release !== undefined && bareRelease(release) !== bareRelease(talosVersion)
    ? `${quoted} is another release than talosVersion, ${JSON.stringify(talosVersion)}: machines would run ${release}. Leave it out of the patches, or write the same release in both`
    : undefined;
}

/** A release without what its builder has added: `v1.12.1` of `v1.12.1-mine`. */
function bareRelease(release: string): string {
  return release.replace(/^v?(\d+\.\d+\.\d+).*$/, "v$1");
}

/** How a platform's machines run Talos. */
export function modeOfPlatform(platform: Platform | undefined): "metal" | "cloud" {
  return platform === "metal" ? "metal" : "cloud";
}

/** The same by their installer; undefined if its name doesn't tell. */
export function modeOfInstaller(image: string): "metal" | "cloud" | undefined {
  const platform = platformOf(image);
  return platform && modeOfPlatform(platform);
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
        : `"${talosVersion}" is not a Talos release: write it like "${NEWEST_RELEASES.talosVersion}"`,
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
