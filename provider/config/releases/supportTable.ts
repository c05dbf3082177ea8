import { NEWEST_ACCEPTED_MINOR } from "./acceptedTalos";
import { NEWEST_RELEASES } from "./newestReleases";
import { talosMinor } from "./talosMinor";

/** The oldest and the newest Kubernetes minor, of major 1, that a Talos minor runs. */
export interface SupportedKubernetes {
  readonly oldestMinor: number;
  readonly newestMinor: number;
}

/** The Kubernetes minors of each Talos minor, by that: `1.12`. */
export type SupportTable = ReadonlyMap<string, SupportedKubernetes>;

/**
 * Kubernetes minors that each Talos minor supports. A node checks the images in its configuration
 * against this only when it gets them, after the machine was created and booted.
 *
 * Source: pkg/machinery/compatibility/talos1NN of Talos v1.14.1, which a test compares with. Add a
 * row with each Talos minor.
 */
export const supportByTalosMinor: SupportTable = new Map([
  ["1.10", { oldestMinor: 28, newestMinor: 33 }],
  ["1.11", { oldestMinor: 29, newestMinor: 34 }],
  ["1.12", { oldestMinor: 30, newestMinor: 35 }],
  ["1.13", { oldestMinor: 31, newestMinor: 36 }],
  ["1.14", { oldestMinor: 32, newestMinor: 37 }],
]);

/**
 * The Kubernetes minors that a Talos version (`v1.12.1`) or version contract (`v1.12`) supports;
 * undefined for an unknown Talos.
 */
export function supportedKubernetes(
  talosVersion: string,
  table: SupportTable = supportByTalosMinor,
): SupportedKubernetes | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.|$)/.exec(talosVersion)?.[1];
  return minor === undefined ? undefined : table.get(minor);
}

/**
 * The problem of running a Kubernetes version (`1.35.0`, a leading `v` is allowed) on a Talos
 * version; undefined without one. For a Talos outside the table, the version must be one that any
 * Talos in it supports: this package has no facts of others.
 */
export function checkKubernetesVersion(
  kubernetesVersion: string,
  talosVersion: string,
): string | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/.exec(kubernetesVersion);
  const support = supportedKubernetes(talosVersion);
  const { oldestMinor, newestMinor } = support ?? knownKubernetes;
  const range = `1.${oldestMinor} to 1.${newestMinor}`;
  if (match === null) {
    const example =
      support === undefined ? NEWEST_RELEASES.kubernetesVersion.slice(1) : `1.${newestMinor}.0`;
    return `"${kubernetesVersion}" is not a Kubernetes version: write all three numbers, like "${example}"${support === undefined ? "" : `; Talos ${talosVersion} runs Kubernetes ${range}`}`;
  }
  const [, major, minor = 0] = match.map(Number);
  if (major === 1 && minor >= oldestMinor && minor <= newestMinor) {
    return undefined;
  }
  const isTooNew = major !== 1 || minor > newestMinor;
  if (support === undefined) {
    const way = isTooNew ? "install a newer release of the package, or choose" : "choose";
    return `Kubernetes "${kubernetesVersion}" is ${isTooNew ? "newer" : "older"} than this release of pulumi-talos-aws knows, ${range}: ${way} a version in that range`;
  }
  return `Kubernetes "${kubernetesVersion}" is too ${isTooNew ? "new" : "old"} for Talos ${talosVersion}, which runs Kubernetes ${range}: choose a version in that range${isTooNew ? ", or a newer Talos" : ""}`;
}

/** The Kubernetes minors of the Talos minors that machines may run. */
const accepted = [...supportByTalosMinor].flatMap(([minor, support]) =>
  (talosMinor(minor) ?? 0) <= NEWEST_ACCEPTED_MINOR ? [support] : [],
);

/** All Kubernetes minors that this package supports. */
const knownKubernetes: SupportedKubernetes = {
  oldestMinor: Math.min(...accepted.map((each) => each.oldestMinor)),
  newestMinor: Math.max(...accepted.map((each) => each.newestMinor)),
};
