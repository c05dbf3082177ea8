export {
  ApiLoadBalancer,
  type ApiLoadBalancerArgs,
  type ApiTarget,
} from "./endpoint/apiLoadBalancer";
export type {
  AwsLoginArgs,
  ClusterAccessArgs,
  GroupRoleArgs,
  OidcIssuerArgs,
} from "./access/accessArgs";
export type {
  AddOnPods,
  ContainerResources,
  PodToleration,
  ReplicatedAddOnPods,
} from "./addOns/common/addOnPodsArgs";
export type { AddOnManifest, PinnedAddOn } from "./addOns/common/addOnManifest";
export type { CiliumAddOn } from "./addOns/cilium/ciliumAddOn";
export type { CloudControllerAddOn } from "./addOns/cloudController";
export type { ClusterAutoscalerAddOn } from "./addOns/clusterAutoscaler";
export type { EbsCsiAddOn } from "./addOns/ebsCsi/ebsCsiAddOn";
export type { EtcdBackupAddOn } from "./addOns/etcdBackup/etcdBackupAddOn";
export type { ExternalDnsAddOn } from "./addOns/externalDns";
export type { FluxAddOn, FluxDecryption, FluxKey } from "./addOns/flux/fluxAddOn";
export type { KarpenterAddOn } from "./addOns/karpenter/karpenterAddOn";
export type { LoadBalancerControllerAddOn } from "./addOns/loadBalancerController";
export type { NodeProblemDetectorAddOn } from "./addOns/nodeProblemDetector";
export type { NvidiaDevicePluginAddOn } from "./addOns/nvidiaDevicePlugin";
export type { NodeTerminationHandlerAddOn } from "./addOns/nodeTerminationHandler";
export type { ClusterAddOnsArgs } from "./addOns/registry";
export type { ClusterKubeconfigRequest } from "./cluster/arguments/clusterKubeconfigRequest";
export type {
  ClusterControlPlaneArgs,
  ClusterMachineArgs,
  ClusterRoleArgs,
} from "./cluster/arguments/clusterControlPlaneArgs";
export type {
  AutoScalingClusterWorkerPoolArgs,
  ClusterWorkerConfigurationArgs,
  ClusterWorkerMachinesArgs,
  ClusterWorkerPoolArgs,
  ClusterWorkersArgs,
  FixedClusterWorkerPoolArgs,
  KarpenterClusterWorkerPoolArgs,
} from "./cluster/arguments/clusterWorkersArgs";
export { ControlPlane, type ControlPlaneMachine } from "./controlPlane/controlPlane";
export type {
  ControlPlaneArgs,
  ControlPlaneTurns,
  PlannedMachine,
} from "./controlPlane/controlPlaneArgs";
export type { AccessLogsArgs } from "./endpoint/accessLogs";
export { DnsRecord, type DnsRecordArgs } from "./endpoint/dnsRecord";
export {
  IngressLoadBalancer,
  type IngressArgs,
  type IngressLoadBalancerArgs,
} from "./endpoint/ingressLoadBalancer";
export type {
  IngressHealthCheck,
  IngressListenerArgs,
  IngressProbe,
} from "./endpoint/ingressListeners";
export { EtcdBackup } from "./backup/etcdBackup";
export type { EtcdBackupArgs, EtcdBackupBucketArgs } from "./backup/etcdBackupArgs";
export { Firewall } from "./firewall/firewall";
export type {
  AdoptedGroupsArgs,
  ApiExposure,
  ExtraFirewallPeer,
  ExtraFirewallRule,
  FirewallArgs,
  FirewallGroup,
  MonitoringPeer,
  MonitoringTarget,
} from "./firewall/firewallArgs";
export type { HelmReleaseArgs, HelmReleaseInputs, KubernetesProviderInputs } from "./helm";
export type { IssuerBucketArgs, ServiceAccountRoleRequest } from "./identity/irsaArgs";
export {
  ServiceAccountIssuer,
  type ServiceAccountIssuerArgs,
} from "./identity/serviceAccountIssuer";
export { ServiceAccountRole, type ServiceAccountRoleArgs } from "./identity/serviceAccountRole";
export type { Architecture } from "./machines/instanceType";
export { type EtcdVolumeArgs } from "./machines/etcdVolume";
export {
  type DataVolumeArgs,
  dataUserVolumes,
  type VolumeSpeedArgs,
  type VolumeType,
} from "./machines/volumes";
export type { FirstContactChoice } from "./machines/machineConsole";
export { makeUserData, type UserDataArgs } from "./machines/makeUserData";
export { MachineImage, type MachineImageArgs } from "./machines/machineImage";
export { SchematicImage, type SchematicImageArgs } from "./machines/schematicImage";
export type {
  CapacityReservationArgs,
  PlacementGroupArgs,
  PlacementStrategy,
} from "./machines/placement";
export { Network } from "./network/network";
export type {
  AdoptedNetworkArgs,
  FlowLogsArgs,
  FlowLogTraffic,
  GatewayService,
  InterfaceService,
  NetworkArgs,
} from "./network/networkArgs";
export type { NetworkSubnet } from "./network/networkScope";
export type { ApiHealthCheck } from "./endpoint/planApiHealthCheck";
export type { NatStrategy } from "./network/planNatGateways";
export type { NodePermissions } from "./permissions/nodePermissions";
export type { RoleStatement } from "./permissions/extendRole";
export { NodeRole, type NodeRoleArgs } from "./permissions/nodeRole";
export type { ClusterCni } from "./firewall/podNetworkPorts";
export type {
  ClusterIngress,
  ClusterNode,
  ClusterRole,
  ClusterSecurityGroupIds,
} from "./cluster/clusterOutputs";
export type {
  ClusterAdministration,
  ClusterJoin,
  ClusterJoinSubnets,
  SharedConfiguration,
} from "./cluster/join/clusterJoin";
export { JoinedWorkerPool } from "./cluster/join/joinedWorkerPool";
export type {
  AutoScalingJoinedWorkerPoolArgs,
  FixedJoinedWorkerPoolArgs,
  JoinArgs,
  JoinedWorkerPoolArgs,
} from "./cluster/join/joinedWorkerPoolArgs";
export { TalosCluster } from "./cluster/talosCluster";
export type {
  ClusterDnsArgs,
  ClusterFirewallArgs,
  ClusterIrsaArgs,
  ClusterNetworkArgs,
  MetricsSource,
  TalosClusterArgs,
} from "./cluster/arguments/talosClusterArgs";
export { AutoScalingWorkerPool } from "./workers/autoScalingWorkerPool";
export type {
  AutoScalingArgs,
  GroupStrategy,
  InstanceRefresh,
  InstanceRequirementsArgs,
  NumberRange,
  SpotAllocation,
} from "./workers/autoScalingArgs";
export type {
  CapacityType,
  ConsolidationPolicy,
  DisruptionReason,
  KarpenterBudgetArgs,
  KarpenterLimitsArgs,
  KarpenterPoolArgs,
  KarpenterRequirementArgs,
  RequirementOperator,
} from "./workers/karpenter/karpenterPoolArgs";
export { WorkerPool, type WorkerMachine } from "./workers/workerPool";
export type { GpuMaker } from "./workers/nvidiaGpu";
export type { PoolTarget } from "./workers/poolSettings";
export type {
  AutoScalingWorkerPoolArgs,
  WorkerMachineArgs,
  WorkerMachinesArgs,
  WorkerPoolArgs,
  WorkerSubnet,
} from "./workers/workerPoolArgs";
export { type Child, type ChildArgs, transformChild } from "./transformChild";
