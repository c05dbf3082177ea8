import { talosMinor } from "../../../provider/config";

/** An installed Talos system. */
export interface InstalledSystem {
  /** With a leading v: `v1.12.1`. */
  readonly version: string;
  /** Id of its Image Factory schematic, if any. */
  readonly schematic: string | undefined;
}

/** Sidero's own installer, and the last minor with one. Source: talos v1.14.1, `pkg/images/list.go`. */
const SIDERO_INSTALLER = "ghcr.io/siderolabs/installer";
const LAST_SIDERO_MINOR = 13;

const VERSION_TAG = /^v1\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/**
 * Reads the system in an installer image. A simulated machine's registries have Sidero's and the
 * Image Factory's installers in any released version.
 *
 * Throws an `Error` with containerd's message for other images.
 */
export function systemOf(image: string): InstalledSystem {
  const [name, tag = "latest"] = splitReference(image);
  if (!VERSION_TAG.test(tag)) {
    throw notFound(image);
  }
  if (name === SIDERO_INSTALLER && (talosMinor(tag) ?? 0) <= LAST_SIDERO_MINOR) {
    return { version: tag, schematic: undefined };
  }
  const factory = /^factory\.talos\.dev\/(?:[a-z]+-)?installer(?:-secureboot)?\/([0-9a-f]+)$/.exec(
    name,
  );
  if (!factory) {
    throw notFound(image);
  }
  return { version: tag, schematic: factory[1] };
}

/** Whether an image's name is that of an installer. */
export function isInstaller(image: string): boolean {
  return /\/(?:[a-z]+-)?installer(?:-secureboot)?(?:\/|[:@]|$)/.test(image);
}

function splitReference(image: string): [name: string, tag?: string] {
  const [withoutDigest = ""] = image.split("@");
  const colon = withoutDigest.lastIndexOf(":");
  if (colon <= withoutDigest.lastIndexOf("/")) {
    return [withoutDigest];
  }
  return [withoutDigest.slice(0, colon), withoutDigest.slice(colon + 1)];
}

function notFound(image: string): Error {
  return new Error(
    `1 error(s) occurred:\n\tfailed to pull image "${image}": failed to resolve reference "${image}": ${image}: not found`,
  );
}
