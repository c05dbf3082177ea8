export { chooseAddOns } from "./addOns/chooseAddOns";
export { checkTalosCluster } from "./checks/checkTalosCluster";
export { type ClusterPlan, planCluster } from "./plan/planCluster";
export type { MachinesPlan, PoolPlan, VolumePlan } from "./plan/planClusterMachines";
export { addOnPolicy, type ClusterRoles } from "./plan/planClusterRoles";
