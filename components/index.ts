export { ApiLoadBalancer, type ApiLoadBalancerArgs, type ApiTarget } from "./apiLoadBalancer";
export type {
  AddOnManifest,
  CiliumAddOn,
  ClusterAddOnsArgs,
  EbsCsiAddOn,
  PinnedAddOn,
} from "./clusterAddOnsArgs";
export type { ClusterKubeconfigRequest } from "./clusterKubeconfigRequest";
export { ControlPlane, type ControlPlaneArgs, type ControlPlaneMachine } from "./controlPlane";
export { DnsRecord, type DnsRecordArgs } from "./dnsRecord";
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
  ClusterControlPlaneArgs,
  ClusterDnsArgs,
  ClusterFirewallArgs,
  ClusterMachineArgs,
  ClusterNetworkArgs,
  ClusterRoleArgs,
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
