/** A component of Kubernetes whose flags are part of the configuration. */
export type KubernetesComponent = "apiServer" | "controllerManager" | "scheduler" | "kubelet";

/** What a Kubernetes minor has removed. A component that gets one of these ends at once. */
export interface KubernetesRemovals {
  /** Feature gates of all components, which share one list. */
  readonly featureGates?: readonly string[];
  /** Flags, without leading dashes. */
  readonly flags?: Partial<Readonly<Record<KubernetesComponent, readonly string[]>>>;
  /** Admission plugins of the API server. */
  readonly admissionPlugins?: readonly string[];
}

/**
 * The removals of each minor of Kubernetes 1.
 *
 * Source: what `talosctl upgrade-k8s` refuses, `kubernetes/upgrade/checks.go` of
 * siderolabs/go-kubernetes (v0.2.28 up to 1.35, its main branch for 1.36). Each entry up to 35 was
 * given to the binaries of Kubernetes v1.35.0, which refused it. `UserNamespacesHostNetworkSupport`
 * isn't here, because they accept it. They still accept those of 36.
 */
export const kubernetesRemovals: ReadonlyMap<number, KubernetesRemovals> = new Map([
  [
    25,
    {
      featureGates: [
        ...["CSIVolumeFSGroupPolicy", "ConfigurableFSGroupPolicy", "PodDisruptionBudget"],
        ...["SelectorIndex"],
      ],
      flags: {
        apiServer: ["service-account-api-audiences"],
        controllerManager: ["deleting-pods-qps", "deleting-pods-burst", "register-retry-count"],
      },
      admissionPlugins: ["PodSecurityPolicy"],
    },
  ],
  [
    26,
    { featureGates: ["DynamicKubeletConfig"], flags: { apiServer: ["master-service-namespace"] } },
  ],
  [
    27,
    {
      featureGates: [
        ...["ExpandCSIVolumes", "ExpandInUsePersistentVolumes", "ExpandPersistentVolumes"],
        ...["ControllerManagerLeaderMigration", "CSIMigration", "CSIInlineVolume"],
        ...["EphemeralContainers", "LocalStorageCapacityIsolation", "NetworkPolicyEndPort"],
        ...["StatefulSetMinReadySeconds", "IdentifyPodOS", "DaemonSetUpdateSurge"],
      ],
      flags: {
        controllerManager: ["enable-taint-manager", "pod-eviction-timeout"],
        kubelet: ["container-runtime", "master-service-namespace"],
      },
    },
  ],
  [
    28,
    {
      featureGates: [
        ...["AdvancedAuditing", "DelegateFSGroupToCSIDriver", "DevicePlugins"],
        ...["DisableAcceleratorUsageMetrics", "EndpointSliceTerminatingCondition"],
        ...["CSIStorageCapacity", "CSIMigrationGCE", "KubeletCredentialProviders"],
        ...["MixedProtocolLBService", "ServiceInternalTrafficPolicy", "ServiceIPStaticSubrange"],
        ...["WindowsHostProcessContainers"],
      ],
    },
  ],
  [
    30,
    {
      featureGates: [
        ...["ExpandedDNSConfig", "ExperimentalHostUserNamespaceDefaultingGate"],
        ...["IPTablesOwnershipCleanup", "KubeletPodResources", "KubeletPodResourcesGetAllocatable"],
        ...["MinimizeIPTablesRestore", "ProxyTerminatingEndpoints", "RemoveSelfLink"],
      ],
      admissionPlugins: ["SecurityContextDeny"],
    },
  ],
  [
    31,
    {
      featureGates: [
        ...["APIPriorityAndFairness", "CSINodeExpandSecret", "ConsistentHTTPGetHandlers"],
        ...["DefaultHostNetworkHostPortsInPodTemplates", "ServiceNodePortStaticSubrange"],
        ...["SkipReadOnlyValidationGCE"],
      ],
      flags: {
        kubelet: ["keep-terminated-pod-volumes", "iptables-masquerade-bit", "iptables-drop-bit"],
        controllerManager: [
          ...["volume-host-cidr-denylist", "volume-host-allow-local-loopback"],
          ...["horizontal-pod-autoscaler-upscale-delay"],
          ...["horizontal-pod-autoscaler-downscale-delay"],
        ],
      },
    },
  ],
  [
    32,
    {
      featureGates: [
        ...["AllowServiceLBStatusOnNonLB", "CloudDualStackNodeIPs", "DRAControlPlaneController"],
        ...["HPAContainerMetrics", "KMSv2", "KMSv2KDF", "LegacyServiceAccountTokenCleanUp"],
        ...["MinDomainsInPodTopologySpread", "NewVolumeManagerReconstruction"],
        ...["NodeOutOfServiceVolumeDetach", "ServerSideApply", "ServerSideFieldValidation"],
        ...["StableLoadBalancerNodeSet", "ValidatingAdmissionPolicy"],
        ...["ZeroLimitedNominalConcurrencyShares"],
      ],
    },
  ],
  [
    33,
    {
      featureGates: [
        ...["AppArmor", "AppArmorFields", "CPUManager", "DisableCloudProviders"],
        ...["DisableKubeletCloudCredentialProviders", "JobPodFailurePolicy"],
        ...["KubeProxyDrainingTerminatingNodes", "PDBUnhealthyPodEvictionPolicy"],
        ...["PersistentVolumeLastPhaseTransitionTime", "VolumeCapacityPriority"],
      ],
      flags: { apiServer: ["cloud-config"] },
    },
  ],
  [
    34,
    {
      featureGates: [
        ...["DevicePluginCDIDevices", "LegacySidecarContainers", "PodDisruptionConditions"],
      ],
      flags: { kubelet: ["cloud-config"] },
    },
  ],
  [
    35,
    {
      featureGates: ["SizeMemoryBackedVolumes"],
      flags: { kubelet: ["pod-infra-container-image"] },
    },
  ],
  [
    36,
    {
      featureGates: [
        ...["CSIMigrationPortworx", "HonorPVReclaimPolicy", "InTreePluginPortworxUnregister"],
        ...["WatchFromStorageWithoutResourceVersion"],
      ],
    },
  ],
]);
