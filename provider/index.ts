export { ConfigError, type ConfigProblem } from "./config/configError";
export type { MachineType } from "./config/machineConfigInput";
export type { ConfigDocument, YamlValue } from "./config/machineConfig";
export type { JsonPatchOperation } from "./config/jsonPatch";
export type { Patch, PatchFile } from "./config/patch";
export { issueClientCredentials, type ClientCredentials, type Role } from "./pki/clientCredentials";
export { generateSecretsBundle, type SecretsBundleOptions } from "./pki/generateSecretsBundle";
export { importSecrets } from "./pki/importSecrets";
export { readSecretsBundle } from "./pki/readSecretsBundle";
export { renderTalosconfig } from "./pki/renderTalosconfig";
export type { CertificateAndKey, SecretsBundle } from "./pki/secretsBundle";
export { SecretsBundleError, type SecretsBundleProblem } from "./pki/secretsBundleError";
export { secretsBundleFromMachineConfig } from "./pki/secretsBundleFromMachineConfig";
export { ClientConfiguration, type ClientConfigurationArgs } from "./resources/clientConfiguration";
export { ClusterKubeconfig, type ClusterKubeconfigArgs } from "./resources/clusterKubeconfig";
export { ConfigurationApply, type ConfigurationApplyArgs } from "./resources/configurationApply";
export { MachineBootstrap, type MachineBootstrapArgs } from "./resources/machineBootstrap";
export {
  MachineConfiguration,
  type MachineConfigurationArgs,
} from "./resources/machineConfiguration";
export { MachineSecrets, type MachineSecretsArgs } from "./resources/machineSecrets";
export { installerImage } from "./config/installerImage";
