import type { Generator } from "./generator";

/**
 * Whether workloads run on control plane machines too, in `cluster.allowSchedulingOnControlPlanes`
 * of these.
 */
export const scheduling: Generator = {
  generate: ({ machineType, allowSchedulingOnControlPlanes = false }) =>
    machineType === "controlplane" && allowSchedulingOnControlPlanes
      ? { config: { cluster: { allowSchedulingOnControlPlanes: true } } }
      : {},
};
