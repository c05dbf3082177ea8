import type { ConfigDocument, YamlValue } from "../machineConfig";
import { installerOf } from "../settings/installer";
import { settingIn } from "../settings/settingIn";
import { modeOfInstaller } from "./installerImage";

/** A setting of the installation that no machine reads. */
export interface IdleSetting {
  /** The place, as in an outline. */
  readonly path: string;
  readonly value: YamlValue;
  /** Why, and what to do instead. */
  readonly reason: string;
}

/** Names of the disk that an image boots from, on AWS and other clouds. */
const ROOT_DISKS = /^\/dev\/(?:xvda|sda|vda|nvme0n1)$/;

const NO_INSTALLATION = "a machine that boots an image is installed already, so nothing reads it";
const LEAVE_OUT = "leave it out: Talos is on the disk of the image";

/** The settings, when a value counts, and what to do instead. */
const SETTINGS: readonly (readonly [string, (value: YamlValue) => boolean, string])[] = [
  [
    "extraKernelArgs",
    isFilled,
    "set the option extraKernelArgs, which makes them part of the image and of the installer",
  ],
  [
    "extensions",
    isFilled,
    "set the option systemExtensions, which makes them part of the image and of the installer",
  ],
  ["disk", (value) => typeof value === "string" && !ROOT_DISKS.test(value), LEAVE_OUT],
  ["diskSelector", isFilled, LEAVE_OUT],
  ["wipe", (value) => value === true, LEAVE_OUT],
  ["bootloader", (value) => value === false, LEAVE_OUT],
  ["legacyBIOSSupport", (value) => value === true, "leave it out: the image has its boot loader"],
  // Talos' dialects since v1.12 have `true`.
  ["grubUseUKICmdline", (value) => value === false, "leave it out: the image has its boot loader"],
];

/**
 * Settings of the installation without effect on a machine that boots an image, such as an AMI. None where
 * the platform isn't known by the installer, or is `metal`.
 *
 * Source: talos v1.12.1, `v1alpha1_sequencer.go`: `Install` runs on machines that aren't installed;
 * cmd/installer/cmd/installer/install.go: an image with a unified kernel image has its own arguments.
 *
 * @param outline of a machine's configuration (`outlineDocuments`)
 */
export function idleInstallSettings(outline: ConfigDocument): readonly IdleSetting[] {
  const image = installerOf(outline);
  if (image === undefined || modeOfInstaller(image) !== "cloud") {
    return [];
  }
  return SETTINGS.flatMap(([key, counts, instead]) => {
    const { value, place } = settingIn(outline, `machine.install.${key}`);
    const path = place.join(".");
    return value !== undefined && counts(value)
      ? [{ path, value, reason: `${path}: ${NO_INSTALLATION}: ${instead}` }]
      : [];
  });
}

/** Whether a list or mapping has entries. An outline has a list of named items as a mapping. */
function isFilled(value: YamlValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
