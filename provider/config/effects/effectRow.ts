import type { ConfigDocument } from "../machineConfig";

/**
 * When a changed place of a running machine's configuration takes effect:
 * - `live`: a controller of Talos follows it, and nothing restarts;
 * - `restarts`: the same, and Talos restarts the services of the row;
 * - `boot`: when the machine boots, because it is read when something starts, and Talos starts that
 *   only with the machine;
 * - `nextStart`: when a service starts for another reason. Nothing is restarted for it;
 * - `upgrade`: when Talos is installed or upgraded;
 * - `newMachine`: only on machines, nodes or volumes that do not exist yet;
 * - `manifests`: never by Talos on objects that exist. `KubernetesManifests` applies it;
 * - `never`: Talos accepts it, and a cluster, node or volume that exists breaks or is cut in two. What
 *   happens is in `birthSettings.ts`.
 */
export type Effect =
  "live" | "restarts" | "boot" | "nextStart" | "upgrade" | "newMachine" | "manifests" | "never";

/** What Talos restarts for a change, without a reboot. */
export type RestartedService =
  | "kubelet"
  | "the API server"
  | "the controller manager"
  | "the scheduler"
  | "containerd"
  | "the extension's service"
  | "the container";

/** A place of the configuration, with everything below it that has no longer row. */
export interface EffectRow {
  /**
   * Key path as in an outline (`outlineDocuments`), beginning with the kind for other documents. `*`
   * is any key.
   */
  readonly path: string;
  /** With Talos v1.10 to v1.13; of kinds that came with v1.14, with that. */
  readonly effect: Effect;
  /** With Talos v1.14 and newer. Default: `effect`. */
  readonly from14?: Effect;
  /** The effect if the place is added. Default: `effect`. */
  readonly added?: Effect;
  /** The effect if a whole other document is added or removed. Default: as for its places. */
  readonly whole?: Effect;
  /** Whether a change has this effect. Otherwise it has `otherwise`. Default: always. */
  readonly when?: (
    before: ConfigDocument,
    after: ConfigDocument,
    talosMinor: number | undefined,
    path: readonly string[],
  ) => boolean;
  /** The effect if `when` says no. Default: `live`. */
  readonly otherwise?: Effect;
  /** Whether Talos up to v1.13 reboots for it, although it has another effect. Default: no. */
  readonly rebootsUntil13?: true;
  /** What restarts, where the effect is `restarts`. */
  readonly services?: readonly RestartedService[];
  /** Why the change has no effect now, and what to do; for a warning. */
  readonly reason?: string;
}

/** Rows of one effect. */
export function rows(
  effect: Effect,
  parent: string,
  ...keys: readonly string[]
): readonly EffectRow[] {
  return keys.map((key) => ({ path: parent === "" ? key : `${parent}.${key}`, effect }));
}

/** Rows of what needs a boot up to Talos v1.13, and from v1.14 on nothing, or a service's restart. */
export function bootUntil13(
  parent: string,
  keys: readonly string[],
  services: readonly RestartedService[] = [],
): readonly EffectRow[] {
  return rows("boot", parent, ...keys).map((row) => ({
    ...row,
    ...(services.length === 0 ? { from14: "live" } : { from14: "restarts", services }),
  }));
}

/** Rows of what restarts services. */
export function restarts(
  services: readonly RestartedService[],
  parent: string,
  ...keys: readonly string[]
): readonly EffectRow[] {
  return rows("restarts", parent, ...keys).map((row) => ({ ...row, services }));
}

/**
 * The components that Talos runs again for each change of the cluster's keys, certificates and
 * kubeconfigs. Source: v1.12.1, `k8s/control_plane_static_pod.go`: all three have the annotation
 * with the version of their secrets.
 */
export const CONTROL_PLANE: readonly RestartedService[] = [
  "the API server",
  "the controller manager",
  "the scheduler",
];
