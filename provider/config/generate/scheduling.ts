import type { Generator } from "./generator";

/**
 * Whether workloads also run on control plane machines, in their
 * `cluster.allowSchedulingOnControlPlanes`.
 */
export const scheduling: Generator = {
  generate(
    { machineType, allowSchedulingOnControlPlanes: wanted = false },
    { schedulingOnControlPlanes },
  ) {
    if (machineType === "worker" || !wanted) {
      return {};
    }
    return schedulingOnControlPlanes
      ? { config: { cluster: { allowSchedulingOnControlPlanes: true } } }
      : { config: { cluster: { allowSchedulingOnMasters: true } } };
  },
};
