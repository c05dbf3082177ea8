import { type ConfigDocument, documentId, textAt } from "../machineConfig";
import { valueAt } from "../settings/keyPaths";
import { talosMinor } from "./talosMinor";

/**
 * The minor of etcd's major 3 in each Talos minor: what it runs where `cluster.etcd.image` is not
 * set. Source: `DefaultEtcdVersion` in pkg/machinery/constants, v1.10.6 to v1.14.1. Add a row with
 * each Talos minor; a test asks for it.
 */
export const etcdMinorByTalosMinor: ReadonlyMap<number, number> = new Map([
  [10, 5],
  [11, 6],
  [12, 6],
  [13, 6],
  [14, 7],
]);

/**
 * The minor of the etcd that a control plane machine runs with a configuration: 7 is etcd 3.7.
 * Undefined for a worker, an image without a version in its tag, or an unknown Talos.
 *
 * @param talosVersion what it runs, `v1.14.1`
 */
export function etcdMinorOf(
  documents: readonly ConfigDocument[],
  talosVersion: string,
): number | undefined {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  const { machine, cluster } = config ?? {};
  const type = textAt(machine, "type") ?? "";
  if (!["controlplane", "init"].includes(type)) {
    return undefined;
  }
  return etcdMinor(textAt(valueAt(cluster, ["etcd"]), "image"), talosMinor(talosVersion) ?? 0);
}

/** The minor of an image of etcd; without one, of the etcd that a Talos minor has. Undefined if unknown. */
export function etcdMinor(image: string | undefined, ofTalos: number): number | undefined {
  return image === undefined
    ? etcdMinorByTalosMinor.get(ofTalos)
    : minorOfVersion(/:v?(3\.\d+\.\d+)/.exec(image)?.[1] ?? "");
}

/** The minor of a version of etcd: 7 of `3.7.0`; undefined for other texts. */
export function minorOfVersion(version: string): number | undefined {
  const minor = /^3\.(\d+)\./.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/**
 * Why etcd can't go back to an older minor; undefined if it can. While a single member runs the
 * older one, the data of all stay readable for it. Once none does, all members raise the version of
 * their data within seconds, and an older etcd refuses to start.
 *
 * Source: etcd v3.7.1, `etcdserver/version/{monitor,downgrade}.go` and
 * `storage/schema/migration.go`.
 *
 * @param stored the version of the data that a member reports, `3.7.0`
 * @param next the minor that would follow
 * @param talosVersion whose etcd that is
 */
export function etcdWayBackProblem(
  stored: string,
  next: number | undefined,
  talosVersion: string,
): string | undefined {
  const minor = minorOfVersion(stored);
  return minor === undefined || next === undefined || next >= minor
    ? undefined
    : `the data of etcd are of etcd 3.${minor} since all members have run that, and etcd 3.${next}, which would follow with Talos ${talosVersion}, does not start with them. There is no way back: declare a Talos with etcd 3.${minor}, or a newer one`;
}
