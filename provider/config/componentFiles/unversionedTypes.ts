/**
 * The types of admission plugins' files that have no kind, in the form of the table of types.
 *
 * Sources: Kubernetes v1.28.15 and v1.37.2, `imagePolicyWebhookConfig` in
 * plugin/pkg/admission/imagepolicy/config.go, and `pluginConfig` in
 * plugin/pkg/admission/podnodeselector/admission.go.
 */
export const unversionedTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "admission.PodNodeSelector": { podNodeSelectorPluginConfig: "map[]string" },
  "admission.ImagePolicyWebhook": { imagePolicy: "admission.imagePolicyWebhookConfig" },
  "admission.imagePolicyWebhookConfig": {
    kubeConfigFile: "string",
    allowTTL: "int64",
    denyTTL: "int64",
    retryBackoff: "int64",
    defaultAllow: "bool",
  },
};
