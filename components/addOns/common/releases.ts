/** Releases of an add-on by the Kubernetes minors that they support, newest first. */
export type Releases = readonly [Release, ...Release[]];

/** A release of an add-on. */
export interface Release {
  /**
   * The oldest Kubernetes minor, of major 1, that it supports. The newest is the one before the
   * next row's. Minors that are newer than the newest row have its release.
   */
  readonly oldestMinor: number;
  readonly version: string;
}

/** The release that supports a Kubernetes version, for example `v1.35.0`. */
export function releaseFor(releases: Releases, kubernetesVersion: string): string {
  const [newest, ...older] = releases;
  const minor = minorOf(kubernetesVersion) ?? newest.oldestMinor;
  const fitting = releases.find(({ oldestMinor }) => minor >= oldestMinor);
  return (fitting ?? older.at(-1) ?? newest).version;
}

/** The minor of a Kubernetes version of major 1; undefined for another text. */
export function minorOf(kubernetesVersion: string): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(kubernetesVersion) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
