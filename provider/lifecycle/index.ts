// Why this room is as it is: docs/decisions/machines.md.

export { isKubernetesRefusal } from "./kubernetes/askKubernetes";
export { HEALTH_GATES } from "./health/awaitHealth";
export { blockedEvictions } from "./kubernetes/blockedEvictions";
export { FIRST_DELIVERIES } from "./delivery/delivery";
export { drainNode, WHEN_BLOCKED } from "./kubernetes/drainNode";
export {
  checkEtcdSnapshotFile,
  type EtcdSnapshotFile,
  sha256OfFile,
} from "./etcd/etcdSnapshotFile";
export { forgetPendingRelease, type NamedRelease } from "./kubernetes/helmRecords";
export { findControlPlanes } from "./findControlPlanes";
export { KubernetesAccess } from "./kubernetes/kubernetesAccess";
export {
  annotateNode,
  CORDONED_ANNOTATION,
  cordonNode,
  deleteNode,
  letPodsIn,
  listNodes,
  uncordonNode,
} from "./kubernetes/kubernetesNode";
export { type EtcdLook, lookAtEtcd } from "./etcd/lookAtEtcd";
export { type EtcdMachine, type Machine, withMachine } from "./machine";
export { readMachineConfig } from "./delivery/machineConfigs";
export { areObjectsUnfinished, readUnfinishedLists } from "./objects/manifestInventory";
export {
  etcdMemberOf,
  isOnlyRemembered,
  type MemberRegisters,
  type NamedMachine,
  namedMachines,
  nodeOf,
} from "./etcd/memberRegisters";
export { PodEvictions } from "./kubernetes/podEvictions";
export { readDiscovered } from "./etcd/readRegisters";
export { resetMachine } from "./leaving/resetMachine";
export { beginStop, endStop, type StopRequest } from "./leaving/stopTurn";
