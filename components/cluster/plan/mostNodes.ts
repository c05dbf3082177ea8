import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import type { NumberRange } from "../../workers/autoScalingArgs";
import type { KarpenterLimitsArgs } from "../../workers/karpenter/karpenterPoolArgs";
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
      mostMachines(karpenter?.limits, karpenter?.vcpus) ??
      0,
  );
  return workers.reduce(
    (sum, count) => sum + count,
    controlPlane?.machineCount ?? DEFAULT_MACHINE_COUNT,
  );
}

/** The most machines that the limits of a pool allow, each as small as it may be. */
function mostMachines(
  limits: KarpenterLimitsArgs | undefined,
  vcpus: NumberRange | undefined,
): number | undefined {
  const { min: least = 1 } = vcpus ?? {};
  return limits && (limits.nodes ?? Math.floor(limits.vcpus / Math.max(least, 1)));
}
