export { ConfigError, type ConfigProblem } from "./config/configError";
export type { MachineType } from "./config/machineConfigInput";
export type { ConfigDocument, YamlValue } from "./config/machineConfig";
export type { Patch } from "./config/patch";
export type { ClientCredentials, Role } from "./pki/clientCredentials";
export type { CertificateAndKey, SecretsBundle } from "./pki/secretsBundle";
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
