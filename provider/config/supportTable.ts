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
 * Source: pkg/machinery/compatibility/talos1NN of Talos v1.13.9. Add a row with each Talos minor.
 */
export const supportByTalosMinor: SupportTable = new Map([
  ["1.10", { oldestMinor: 28, newestMinor: 33 }],
  ["1.11", { oldestMinor: 29, newestMinor: 34 }],
  ["1.12", { oldestMinor: 30, newestMinor: 35 }],
  ["1.13", { oldestMinor: 31, newestMinor: 36 }],
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
 * version; undefined without one. Talos versions outside the table are not checked.
 */
export function checkKubernetesVersion(
  kubernetesVersion: string,
  talosVersion: string,
): string | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/.exec(kubernetesVersion);
  const support = supportedKubernetes(talosVersion);
  const range = support === undefined ? undefined : describe(support);
  if (match === null) {
    const example = support === undefined ? "1.35.0" : `1.${support.newestMinor}.0`;
    return `"${kubernetesVersion}" is not a Kubernetes version: write all three numbers, like "${example}"${range === undefined ? "" : `; Talos ${talosVersion} runs Kubernetes ${range}`}`;
  }
  if (support === undefined || range === undefined) {
    return undefined;
  }
  const [, major, minor] = match.map(Number);
  if (
    major === 1 &&
    minor !== undefined &&
    minor >= support.oldestMinor &&
    minor <= support.newestMinor
  ) {
    return undefined;
  }
  const tooNew = major !== 1 || (minor ?? 0) > support.newestMinor;
  return `Kubernetes "${kubernetesVersion}" is too ${tooNew ? "new" : "old"} for Talos ${talosVersion}, which runs Kubernetes ${range}: choose a version in that range${tooNew ? ", or a newer Talos" : ""}`;
}

function describe(support: SupportedKubernetes): string {
  return `1.${support.oldestMinor} to 1.${support.newestMinor}`;
}
