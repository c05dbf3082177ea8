// Why this room is as it is: docs/decisions/machines.md.

export { isKubernetesRefusal } from "./askKubernetes";
export { HEALTH_GATES } from "./awaitHealth";
export { blockedEvictions } from "./blockedEvictions";
export { FIRST_DELIVERIES } from "./delivery";
export { drainNode, WHEN_BLOCKED } from "./drainNode";
export { checkEtcdSnapshotFile, type EtcdSnapshotFile, sha256OfFile } from "./etcdSnapshotFile";
export { findControlPlanes } from "./findControlPlanes";
export { KubernetesAccess } from "./kubernetesAccess";
export {
  annotateNode,
  CORDONED_ANNOTATION,
  cordonNode,
  deleteNode,
  letPodsIn,
  listNodes,
  uncordonNode,
} from "./kubernetesNode";
export { type EtcdLook, lookAtEtcd } from "./lookAtEtcd";
export { type EtcdMachine, type Machine, withMachine } from "./machine";
export { readMachineConfig } from "./machineConfigs";
export { areObjectsUnfinished, readUnfinishedLists } from "./manifestInventory";
export {
  etcdMemberOf,
  isOnlyRemembered,
  type MemberRegisters,
  type NamedMachine,
  namedMachines,
  nodeOf,
} from "./memberRegisters";
export { PodEvictions } from "./podEvictions";
export { readDiscovered } from "./readRegisters";
export { resetMachine } from "./resetMachine";
export { beginStop, endStop, type StopRequest } from "./stopTurn";
