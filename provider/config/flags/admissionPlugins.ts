import type { Minors } from "./componentTable";

/**
 * The admission plugins of kube-apiserver. It ends at once with a name that it doesn't know, also
 * where the plugin is only disabled.
 *
 * Source: `PluginName` in plugin/pkg/admission and in k8s.io/apiserver, Kubernetes v1.30.0 to
 * v1.37.2; a test compares with them. Those that went before: what `talosctl upgrade-k8s`
 * refuses, siderolabs/go-kubernetes v0.2.41.
 */
export const admissionPlugins: ReadonlyMap<string, Minors> = new Map<string, Minors>([
  ...[
    "AlwaysAdmit",
    "AlwaysDeny",
    "AlwaysPullImages",
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "ClusterTrustBundleAttest",
    "DefaultIngressClass",
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "DenyServiceExternalIPs",
    "EventRateLimit",
    "ExtendedResourceToleration",
    "ImagePolicyWebhook",
    "LimitPodHardAntiAffinityTopology",
    "LimitRanger",
    "MutatingAdmissionWebhook",
    "NamespaceAutoProvision",
    "NamespaceExists",
    "NamespaceLifecycle",
    "NodeRestriction",
    "OwnerReferencesPermissionEnforcement",
    "PersistentVolumeClaimResize",
    "PodNodeSelector",
    "PodSecurity",
    "PodTolerationRestriction",
    "Priority",
    "ResourceQuota",
    "RuntimeClass",
    "ServiceAccount",
    "StorageObjectInUseProtection",
    "TaintNodesByCondition",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
  ].map((name) => [name, {}] as const),
  ["PodSecurityPolicy", { until: 24 }],
  ["SecurityContextDeny", { until: 29 }],
  ["PersistentVolumeLabel", { until: 30 }],
  ["MutatingAdmissionPolicy", { since: 32 }],
  ["PodTopologyLabels", { since: 33 }],
  ["NodeDeclaredFeatureValidator", { since: 35 }],
  ["JobValidation", { since: 36, until: 36 }],
  ["PodGroupWorkloadExists", { since: 36, until: 36 }],
  ["PodGroupProtection", { since: 36 }],
  ["PodResizeValidator", { since: 36 }],
]);
