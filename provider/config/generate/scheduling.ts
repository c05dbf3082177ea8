import type { Generator } from "./generator";

/**
 * Whether workloads run on control plane machines too, in `cluster.allowSchedulingOnControlPlanes`
 * of these.
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
