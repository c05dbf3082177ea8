import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { mostMachines } from "../../workers/karpenter/mostMachines";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/** The most nodes that a cluster can have: groups and pools of Karpenter count with their most machines. */
export function mostNodes({
  controlPlane,
  workerPools = {},
}: Pick<TalosClusterArgs, "controlPlane" | "workerPools">): number {
  const workers = Object.values(workerPools).map(
    ({ machineCount, autoScaling, karpenter }) =>
      autoScaling?.maxSize ??
      machineCount ??
      (karpenter === undefined ? 0 : mostMachines(karpenter)),
  );
  return workers.reduce(
    (sum, count) => sum + count,
    controlPlane?.machineCount ?? DEFAULT_MACHINE_COUNT,
  );
}
