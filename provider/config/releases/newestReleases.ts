/**
 * The newest releases that this package was read against and run with. The environments, the
 * examples, the templates and the pages begin new clusters with them, which a test compares. For a
 * new minor: change this, then what that test names. Sources: siderolabs/talos v1.14.1 and
 * Kubernetes v1.37.2.
 */
export const NEWEST_RELEASES = {
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
} as const;

/** The newest releases that were read of the minor before, from which one upgrades to `NEWEST_RELEASES`. */
export const FORMER_RELEASES = {
  talosVersion: "v1.13.9",
  versionContract: "v1.13",
  kubernetesVersion: "v1.36.3",
} as const;
