/** A component of Kubernetes whose flags are part of the configuration. */
export type KubernetesComponent =
  "apiServer" | "controllerManager" | "scheduler" | "kubelet" | "proxy";

/** What a Kubernetes minor has removed. A component that gets one of these ends at once. */
export interface KubernetesRemovals {
  /** Feature gates of all components, which share one list. */
  readonly featureGates?: readonly string[];
  /** Flags, without leading dashes. */
  readonly flags?: Partial<Readonly<Record<KubernetesComponent, readonly string[]>>>;
  /** Flags of all components. */
  readonly flagsOfAll?: readonly string[];
  /** Admission plugins of the API server. */
  readonly admissionPlugins?: readonly string[];
  /** Kinds of objects that the API no longer has: `<plural>.<version>.<group>`. */
  readonly apiResources?: readonly string[];
}

/**
 * The removals of each minor of Kubernetes 1.
 *
 * Sources, which a test compares with:
 * - what `talosctl upgrade-k8s` refuses: `kubernetes/upgrade/checks.go` of
 *   siderolabs/go-kubernetes v0.2.41, which Talos v1.14.1 requires. Its lists are not complete.
 * - gates and admission plugins that are in the code of one release of Kubernetes, v1.30.0 to
 *   v1.37.2, and no longer in that of the next.
 *
 * From elsewhere: `cloud-provider` of the API server (kubernetes/kubernetes#130162), and the flags
 * for logging that all components had until 1.25 (Kubernetes' documentation, "System Logs").
 * `UserNamespacesHostNetworkSupport` isn't here, because v1.35.0 accepts it.
 */
export const kubernetesRemovals: ReadonlyMap<number, KubernetesRemovals> = new Map([
  [
    25,
    {
      featureGates: [
        "CSIVolumeFSGroupPolicy",
        "ConfigurableFSGroupPolicy",
        "PodDisruptionBudget",
        "SelectorIndex",
      ],
      flags: {
        apiServer: ["service-account-api-audiences"],
        controllerManager: ["deleting-pods-qps", "deleting-pods-burst", "register-retry-count"],
      },
      admissionPlugins: ["PodSecurityPolicy"],
      apiResources: ["podsecuritypolicies.v1beta1.policy"],
    },
  ],
  [
    26,
    {
      featureGates: ["DynamicKubeletConfig"],
      flags: { apiServer: ["master-service-namespace"] },
      flagsOfAll: [
        "add-dir-header",
        "alsologtostderr",
        "log-backtrace-at",
        "log-dir",
        "log-file",
        "log-file-max-size",
        "logtostderr",
        "one-output",
        "skip-headers",
        "skip-log-headers",
        "stderrthreshold",
      ],
    },
  ],
  [
    27,
    {
      featureGates: [
        "ExpandCSIVolumes",
        "ExpandInUsePersistentVolumes",
        "ExpandPersistentVolumes",
        "ControllerManagerLeaderMigration",
        "CSIMigration",
        "CSIInlineVolume",
        "EphemeralContainers",
        "LocalStorageCapacityIsolation",
        "NetworkPolicyEndPort",
        "StatefulSetMinReadySeconds",
        "IdentifyPodOS",
        "DaemonSetUpdateSurge",
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
        "AdvancedAuditing",
        "DelegateFSGroupToCSIDriver",
        "DevicePlugins",
        "DisableAcceleratorUsageMetrics",
        "EndpointSliceTerminatingCondition",
        "CSIStorageCapacity",
        "CSIMigrationGCE",
        "KubeletCredentialProviders",
        "MixedProtocolLBService",
        "ServiceInternalTrafficPolicy",
        "ServiceIPStaticSubrange",
        "WindowsHostProcessContainers",
      ],
    },
  ],
  [29, { apiResources: ["clustercidrs.v1alpha1.networking.k8s.io"] }],
  [
    30,
    {
      featureGates: [
        "ExpandedDNSConfig",
        "ExperimentalHostUserNamespaceDefaultingGate",
        "IPTablesOwnershipCleanup",
        "KubeletPodResources",
        "KubeletPodResourcesGetAllocatable",
        "MinimizeIPTablesRestore",
        "ProxyTerminatingEndpoints",
        "RemoveSelfLink",
      ],
      admissionPlugins: ["SecurityContextDeny"],
    },
  ],
  [
    31,
    {
      featureGates: [
        "APIPriorityAndFairness",
        "CSINodeExpandSecret",
        "ConsistentHTTPGetHandlers",
        "DefaultHostNetworkHostPortsInPodTemplates",
        "ServiceNodePortStaticSubrange",
        "SkipReadOnlyValidationGCE",
        "CSIMigrationRBD",
        "CustomResourceValidationExpressions",
        "InTreePluginAWSUnregister",
        "InTreePluginAzureDiskUnregister",
        "InTreePluginAzureFileUnregister",
        "InTreePluginGCEUnregister",
        "InTreePluginOpenStackUnregister",
        "InTreePluginRBDUnregister",
        "InTreePluginvSphereUnregister",
        "JobReadyPods",
        "ReadWriteOncePod",
      ],
      admissionPlugins: ["PersistentVolumeLabel"],
      flags: {
        kubelet: ["keep-terminated-pod-volumes", "iptables-masquerade-bit", "iptables-drop-bit"],
        controllerManager: [
          "volume-host-cidr-denylist",
          "volume-host-allow-local-loopback",
          "horizontal-pod-autoscaler-upscale-delay",
          "horizontal-pod-autoscaler-downscale-delay",
        ],
      },
    },
  ],
  [
    32,
    {
      featureGates: [
        "AllowServiceLBStatusOnNonLB",
        "CloudDualStackNodeIPs",
        "DRAControlPlaneController",
        "HPAContainerMetrics",
        "KMSv2",
        "KMSv2KDF",
        "LegacyServiceAccountTokenCleanUp",
        "MinDomainsInPodTopologySpread",
        "NewVolumeManagerReconstruction",
        "NodeOutOfServiceVolumeDetach",
        "ServerSideApply",
        "ServerSideFieldValidation",
        "StableLoadBalancerNodeSet",
        "ValidatingAdmissionPolicy",
        "ZeroLimitedNominalConcurrencyShares",
        "PodHostIPs",
      ],
      apiResources: ["podschedulingcontexts.v1alpha3.resource.k8s.io"],
    },
  ],
  [
    33,
    {
      featureGates: [
        "AppArmor",
        "AppArmorFields",
        "CPUManager",
        "DisableCloudProviders",
        "DisableKubeletCloudCredentialProviders",
        "JobPodFailurePolicy",
        "KubeProxyDrainingTerminatingNodes",
        "PDBUnhealthyPodEvictionPolicy",
        "PersistentVolumeLastPhaseTransitionTime",
        "VolumeCapacityPriority",
        "APIListChunking",
        "AdmissionWebhookMatchConditions",
        "AggregatedDiscoveryEndpoint",
        "EfficientWatchResumption",
        "RemainingItemCount",
        "WatchBookmark",
      ],
      flags: { apiServer: ["cloud-config", "cloud-provider"] },
    },
  ],
  [
    34,
    {
      featureGates: [
        "DevicePluginCDIDevices",
        "LegacySidecarContainers",
        "PodDisruptionConditions",
        "ElasticIndexedJob",
        "StatefulSetStartOrdinal",
      ],
      flags: { kubelet: ["cloud-config"] },
    },
  ],
  [
    35,
    {
      featureGates: [
        "SizeMemoryBackedVolumes",
        "ComponentSLIs",
        "CronJobsScheduledAnnotation",
        "LoadBalancerIPMode",
        "PodIndexLabel",
        "ProbeHostPodSecurityStandards",
        "StatefulSetAutoDeletePVC",
        "StrictCostEnforcementForVAP",
        "StrictCostEnforcementForWebhooks",
        "UserNamespacesPodSecurityStandards",
      ],
      flags: { kubelet: ["pod-infra-container-image"] },
    },
  ],
  [
    36,
    {
      featureGates: [
        "CSIMigrationPortworx",
        "HonorPVReclaimPolicy",
        "InTreePluginPortworxUnregister",
        "WatchFromStorageWithoutResourceVersion",
        "InPlacePodVerticalScalingAllocatedStatus",
        "MemoryManager",
        "ServiceTrafficDistribution",
        "StructuredAuthorizationConfiguration",
        "TopologyAwareHints",
      ],
    },
  ],
  [
    37,
    {
      featureGates: [
        "APIServerTracing",
        "AnonymousAuthConfigurableEndpoints",
        "AnyVolumeDataSource",
        "AuthorizeNodeWithSelectors",
        "AuthorizeWithSelectors",
        "BtreeWatchCache",
        "ConsistentListFromCache",
        "DeclarativeValidationTakeover",
        "GangScheduling",
        "JobBackoffLimitPerIndex",
        "JobPodReplacementPolicy",
        "JobSuccessPolicy",
        "LogarithmicScaleDown",
        "OrderedNamespaceDeletion",
        "PodLifecycleSleepAction",
        "PodLifecycleSleepActionAllowZero",
        "PreventStaticPodAPIReferences",
        "RelaxedDNSSearchValidation",
        "ResilientWatchCacheInitialization",
        "RetryGenerateName",
        "SchedulerQueueingHints",
        "SidecarContainers",
        "StreamingCollectionEncodingToJSON",
        "StreamingCollectionEncodingToProtobuf",
        "StructuredAuthenticationConfiguration",
        "WorkloadAwarePreemption",
      ],
      flags: {
        kubelet: [
          "application-metrics-count-limit",
          "boot-id-file",
          "container-hints",
          "containerd",
          "containerd-namespace",
          "enable-load-reader",
          "event-storage-age-limit",
          "event-storage-event-limit",
          "global-housekeeping-interval",
          "log-cadvisor-usage",
          "machine-id-file",
          "storage-driver-user",
          "storage-driver-password",
          "storage-driver-host",
          "storage-driver-db",
          "storage-driver-table",
          "storage-driver-secure",
          "storage-driver-buffer-duration",
        ],
      },
      admissionPlugins: ["JobValidation", "PodGroupWorkloadExists"],
      apiResources: [
        "workloads.v1alpha2.scheduling.k8s.io",
        "podgroups.v1alpha2.scheduling.k8s.io",
      ],
    },
  ],
]);
