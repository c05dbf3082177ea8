/** What an etcd of an image without a readable tag is taken for: that of Talos v1.12.1. */
const USUAL_VERSION = "3.6.7";

/** The version of etcd in an image, by its tag: `3.7.1`. Talos wrote tags with a `v` up to v1.13. */
export function etcdVersionOf(image: string): string {
  return /:v?(3\.\d+\.\d+)(?:-0)?(?:@.*)?$/.exec(image)?.[1] ?? USUAL_VERSION;
}

/** The minor of a version of etcd: 7 of `3.7.1`. */
export function etcdMinorOf(version: string): number {
  return Number(version.split(".")[1]);
}

/**
 * Why etcd doesn't start: the log of its panic, where the cluster has already a newer version than
 * the binary. Undefined otherwise. Source: etcd v3.7.1, `etcdserver/version/downgrade.go`,
 * `MustDetectDowngrade`; v3.6.7 says the same.
 *
 * @param clusterMinor of the version that all members agreed on; undefined if none was decided
 */
export function downgradeProblem(
  version: string,
  clusterMinor: number | undefined,
): string | undefined {
  const minor = etcdMinorOf(version);
  return clusterMinor === undefined || minor >= clusterMinor
    ? undefined
    : JSON.stringify({
        level: "panic",
        caller: "version/downgrade.go:49",
        msg: "invalid downgrade; server version is lower than determined cluster version",
        "current-server-version": `3.${minor}.0`,
        "determined-cluster-version": `3.${clusterMinor}`,
      });
}
