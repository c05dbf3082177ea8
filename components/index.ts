export { ApiLoadBalancer, type ApiLoadBalancerArgs, type ApiTarget } from "./apiLoadBalancer";
export { ControlPlane, type ControlPlaneArgs, type ControlPlaneMachine } from "./controlPlane";
export { DnsRecord, type DnsRecordArgs } from "./dnsRecord";
export { Firewall, type FirewallArgs } from "./firewall";
export type { Architecture } from "./instanceType";
export { MachineImage, type MachineImageArgs } from "./machineImage";
export { Network, type NetworkArgs, type NetworkSubnet } from "./network";
export type { ApiHealthCheck } from "./planApiHealthCheck";
export { NodeRole, type NodeRoleArgs } from "./nodeRole";
export { type ClusterNode, type ClusterSecurityGroupIds, TalosCluster } from "./talosCluster";
export type {
  ClusterControlPlaneArgs,
  ClusterDnsArgs,
  ClusterMachineArgs,
  ClusterNetworkArgs,
  TalosClusterArgs,
} from "./talosClusterArgs";
