export { ApiLoadBalancer, type ApiLoadBalancerArgs, type ApiTarget } from "./apiLoadBalancer";
export type {
  AddOnManifest,
  CiliumAddOn,
  ClusterAddOnsArgs,
  EbsCsiAddOn,
  PinnedAddOn,
} from "./clusterAddOnsArgs";
export type { ClusterKubeconfigRequest } from "./clusterKubeconfigRequest";
export type {
  ClusterControlPlaneArgs,
  ClusterMachineArgs,
  ClusterRoleArgs,
} from "./clusterControlPlaneArgs";
export type {
  AutoScalingClusterWorkerPoolArgs,
  ClusterWorkerConfigurationArgs,
  ClusterWorkerMachinesArgs,
  ClusterWorkerPoolArgs,
  ClusterWorkersArgs,
  FixedClusterWorkerPoolArgs,
} from "./clusterWorkersArgs";
export { ControlPlane, type ControlPlaneMachine } from "./controlPlane";
export type { ControlPlaneArgs, ControlPlaneTurns, PlannedMachine } from "./controlPlaneArgs";
export { DnsRecord, type DnsRecordArgs } from "./dnsRecord";
export { EtcdBackup } from "./etcdBackup";
export type { EtcdBackupAddOn, EtcdBackupArgs, EtcdBackupBucketArgs } from "./etcdBackupArgs";
export { Firewall } from "./firewall";
export type {
  AdoptedGroupsArgs,
  ApiExposure,
  ExtraFirewallPeer,
  ExtraFirewallRule,
  FirewallArgs,
  FirewallGroup,
  MonitoringTarget,
} from "./firewallArgs";
export type { Architecture } from "./instanceType";
export type { EtcdVolumeArgs } from "./makeMachine";
export { MachineImage, type MachineImageArgs } from "./machineImage";
export { Network } from "./network";
export type {
  AdoptedNetworkArgs,
  FlowLogsArgs,
  FlowLogTraffic,
  GatewayService,
  NetworkArgs,
} from "./networkArgs";
export type { NetworkSubnet } from "./networkScope";
export type { ApiHealthCheck } from "./planApiHealthCheck";
export type { NatStrategy } from "./planNatGateways";
export type { NodePermissions } from "./nodePermissions";
export { NodeRole, type NodeRoleArgs } from "./nodeRole";
export type { ClusterCni } from "./podNetworkPorts";
export { type ClusterNode, type ClusterSecurityGroupIds, TalosCluster } from "./talosCluster";
export type {
  ClusterDnsArgs,
  ClusterFirewallArgs,
  ClusterNetworkArgs,
  TalosClusterArgs,
} from "./talosClusterArgs";
export { AutoScalingWorkerPool } from "./autoScalingWorkerPool";
export type {
  AutoScalingArgs,
  GroupStrategy,
  InstanceRefresh,
  SpotAllocation,
} from "./autoScalingArgs";
export { WorkerPool, type WorkerMachine } from "./workerPool";
export type {
  AutoScalingWorkerPoolArgs,
  WorkerMachineArgs,
  WorkerMachinesArgs,
  WorkerPoolArgs,
  WorkerSubnet,
} from "./workerPoolArgs";
export { type Child, type ChildArgs, transformChild } from "./transformChild";
