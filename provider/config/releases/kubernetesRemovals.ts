import { admissionPlugins } from "../flags/admissionPlugins";
import {
  componentTable,
  knownMinors,
  type KubernetesComponent,
  type Minors,
} from "../flags/componentTable";

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
 * Removals that the tables of flags and gates don't say: of minors before them, of kinds of objects, and
 * gates that `talosctl upgrade-k8s` refuses though Kubernetes has them, or by another name.
 *
 * Sources: `kubernetes/upgrade/checks.go` of siderolabs/go-kubernetes v0.2.41, which Talos v1.14.1
 * requires; the flags for logging that all components had until 1.25: Kubernetes' documentation, "System
 * Logs". `UserNamespacesHostNetworkSupport` isn't here, because v1.35.0 accepts it.
 */
const recorded: Readonly<Record<number, KubernetesRemovals>> = {
  25: {
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
    apiResources: ["podsecuritypolicies.v1beta1.policy"],
  },
  26: {
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
  27: {
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
  28: {
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
  29: { apiResources: ["clustercidrs.v1alpha1.networking.k8s.io"] },
  30: { featureGates: ["ExperimentalHostUserNamespaceDefaultingGate"] },
  32: {
    featureGates: ["AllowServiceLBStatusOnNonLB"],
    apiResources: ["podschedulingcontexts.v1alpha3.resource.k8s.io"],
  },
  37: {
    featureGates: ["DeclarativeValidationTakeover"],
    apiResources: ["workloads.v1alpha2.scheduling.k8s.io", "podgroups.v1alpha2.scheduling.k8s.io"],
  },
};

/** The first minor of which removals are known. */
const OLDEST = 25;

/**
 * The removals of each minor of Kubernetes 1. A test compares them with the code of releases, and with what
 * `talosctl upgrade-k8s` refuses.
 */
export const kubernetesRemovals: ReadonlyMap<number, KubernetesRemovals> = new Map(
  Array.from({ length: knownMinors.newest - OLDEST + 1 }, (_, index) => {
    const minor = OLDEST + index;
    const { featureGates = [], flags = {}, ...others } = recorded[minor] ?? {};
    const ofComponents = Object.entries(componentTable.flags).map(([component, entries]) => [
      component,
      [...(flags[component as KubernetesComponent] ?? []), ...removedIn(minor, entries)],
    ]);
    const removals: KubernetesRemovals = {
      ...others,
      featureGates: [...featureGates, ...removedIn(minor, componentTable.featureGates)],
      flags: Object.fromEntries(ofComponents) as NonNullable<KubernetesRemovals["flags"]>,
      admissionPlugins: removedIn(minor, Object.fromEntries(admissionPlugins)),
    };
    return [minor, removals] as const;
  }),
);

function removedIn(minor: number, entries: Readonly<Record<string, Minors>>): readonly string[] {
  return Object.keys(entries).filter((name) => entries[name]?.until === minor - 1);
}
