/**
 * How free content of a document is redacted.
 *
 * - `variables`: environment variables, as a mapping or as `NAME=value`. All values are secret that
 *   aren't known to be harmless: an environment is where programs take credentials from.
 * - `tags`: the same, beside names of places and machines.
 * - `flags`: arguments of Kubernetes' components, of etcd or flannel. All values are secret unless a
 *   documented flag has no credential, or the shape of the value says enough.
 * - `arguments`: of other programs. Names and shapes decide.
 * - `assignments`: a mapping of names, or `name=value`. Names and shapes decide.
 * - `object`: objects and configurations of Kubernetes. Keys and shapes decide.
 * - `pod`: the same, in which all variables of containers are secret.
 * - `credentialProvider`: the same, in which all arguments of programs are secret too.
 * - `manifest`: YAML of such objects.
 */
export type SecretPlace =
  | "variables"
  | "tags"
  | "flags"
  | "arguments"
  | "assignments"
  | "object"
  | "pod"
  | "credentialProvider"
  | "manifest";

/**
 * The fields of documents with free content, by type and field of the schema. A test requires an
 * entry for each such field of every Talos release.
 */
const places: ReadonlyMap<string, SecretPlace> = new Map([
  ["v1alpha1.MachineConfig.env", "variables"],
  ["runtime.EnvironmentV1Alpha1.variables", "variables"],
  ["extensions.ServiceConfigV1Alpha1.environment", "variables"],
  ["container.ContainerConfigV1Alpha1.environment", "variables"],
  ["v1alpha1.APIServerConfig.env", "variables"],
  ["v1alpha1.ControllerManagerConfig.env", "variables"],
  ["v1alpha1.SchedulerConfig.env", "variables"],
  ["k8s.KubeAPIServerConfigV1Alpha1.env", "variables"],
  ["k8s.KubeControllerManagerConfigV1Alpha1.env", "variables"],
  ["k8s.KubeSchedulerConfigV1Alpha1.env", "variables"],
  ["v1alpha1.LoggingDestination.extraTags", "tags"],
  ["v1alpha1.APIServerConfig.extraArgs", "flags"],
  ["v1alpha1.ControllerManagerConfig.extraArgs", "flags"],
  ["v1alpha1.SchedulerConfig.extraArgs", "flags"],
  ["v1alpha1.ProxyConfig.extraArgs", "flags"],
  ["v1alpha1.KubeletConfig.extraArgs", "flags"],
  ["v1alpha1.EtcdConfig.extraArgs", "flags"],
  ["v1alpha1.FlannelCNIConfig.extraArgs", "flags"],
  ["k8s.KubeAPIServerConfigV1Alpha1.extraArgs", "flags"],
  ["k8s.KubeControllerManagerConfigV1Alpha1.extraArgs", "flags"],
  ["k8s.KubeSchedulerConfigV1Alpha1.extraArgs", "flags"],
  ["k8s.KubeProxyConfigV1Alpha1.extraArgs", "flags"],
  ["k8s.KubeletConfigV1Alpha1.extraArgs", "flags"],
  ["k8s.KubeFlannelCNIConfigV1Alpha1.extraArgs", "flags"],
  ["container.ContainerConfigV1Alpha1.args", "arguments"],
  ["container.ContainerConfigV1Alpha1.entrypoint", "arguments"],
  ["v1alpha1.InstallConfig.extraKernelArgs", "assignments"],
  ["v1alpha1.KernelModuleConfig.parameters", "assignments"],
  ["runtime.KernelModuleConfigV1Alpha1.parameters", "assignments"],
  ["v1alpha1.MachineConfig.sysctls", "assignments"],
  ["v1alpha1.MachineConfig.sysfs", "assignments"],
  ["runtime.SysctlConfigV1Alpha1.params", "assignments"],
  ["runtime.SysfsConfigV1Alpha1.params", "assignments"],
  ["v1alpha1.MachineConfig.nodeLabels", "assignments"],
  ["v1alpha1.MachineConfig.nodeAnnotations", "assignments"],
  ["v1alpha1.MachineConfig.nodeTaints", "assignments"],
  ["k8s.KubeNodeConfigV1Alpha1.labels", "assignments"],
  ["k8s.KubeNodeConfigV1Alpha1.annotations", "assignments"],
  ["k8s.KubeNodeConfigV1Alpha1.taints", "assignments"],
  ["v1alpha1.APIServerConfig.auditPolicy", "object"],
  ["k8s.KubeAuditPolicyConfigV1Alpha1.configuration", "object"],
  ["v1alpha1.AdmissionPluginConfig.configuration", "object"],
  ["k8s.KubeAdmissionControlConfigV1Alpha1.configuration", "object"],
  ["v1alpha1.AuthorizationConfigAuthorizerConfig.webhook", "object"],
  ["k8s.KubeAuthorizerConfigV1Alpha1.webhook", "object"],
  ["k8s.KubeAuthenticationConfigV1Alpha1.configuration", "object"],
  ["k8s.KubeFlannelCNIConfigV1Alpha1.backendExtraConfig", "object"],
  ["v1alpha1.SchedulerConfig.config", "object"],
  ["k8s.KubeSchedulerConfigV1Alpha1.config", "object"],
  ["k8s.KubeProxyConfigV1Alpha1.config", "object"],
  ["v1alpha1.KubeletConfig.extraConfig", "object"],
  ["k8s.KubeletConfigV1Alpha1.config", "object"],
  ["v1alpha1.ResourcesConfig.limits", "object"],
  ["v1alpha1.ResourcesConfig.requests", "object"],
  ["k8s.ResourcesConfig.limits", "object"],
  ["k8s.ResourcesConfig.requests", "object"],
  ["v1alpha1.MachineSeccompProfile.value", "object"],
  ["v1alpha1.MachineConfig.pods", "pod"],
  ["k8s.KubeStaticPodConfigV1Alpha1.pod", "pod"],
  ["v1alpha1.MachineConfig.baseRuntimeSpecOverrides", "pod"],
  ["cri.CRIBaseRuntimeSpecConfigV1Alpha1.overrides", "pod"],
  ["v1alpha1.KubeletConfig.credentialProviderConfig", "credentialProvider"],
  ["k8s.KubeCredentialProviderConfigV1Alpha1.configuration", "credentialProvider"],
  ["v1alpha1.ClusterInlineManifest.contents", "manifest"],
  ["k8s.KubeInlineManifestConfigV1Alpha1.manifest", "manifest"],
]);

/** How the content of a field of the schema is redacted; undefined for fields of other types. */
export function secretPlace(type: string, field: string): SecretPlace | undefined {
  return places.get(`${type}.${field}`);
}
