import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/** The most nodes that a cluster can have: auto scaling groups count with their most machines. */
export function mostNodes({
  controlPlane,
  workerPools = {},
}: Pick<TalosClusterArgs, "controlPlane" | "workerPools">): number {
  const workers = Object.values(workerPools).map(
    ({ machineCount, autoScaling }) => autoScaling?.maxSize ?? machineCount ?? 0,
  );
  return workers.reduce(
    (sum, count) => sum + count,
    controlPlane?.machineCount ?? DEFAULT_MACHINE_COUNT,
  );
}
