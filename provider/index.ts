export { ConfigError, type ConfigProblem } from "./config/configError";
export type { Cni } from "./config/generate/clusterNetwork";
export type { DiskEncryption } from "./config/generate/diskEncryption";
export type { EncryptionKey } from "./config/generate/encryptionKey";
export type { ExternalCloudProvider } from "./config/generate/externalCloudProvider";
export type { InterfaceSelector } from "./config/generate/interfaceSelector";
export type { KernelModule } from "./config/generate/kernel";
export type { ApiRole, MachineFeatures } from "./config/generate/machineFeatures";
export type { InlineManifest } from "./config/generate/manifests";
export type { NetworkInterface, NetworkRoute } from "./config/generate/networkInterfaces";
export type { UserVolume } from "./config/generate/userVolumes";
export type { MachineConfigPatch } from "./config/gen/machineConfigPatch";
export type { MachineConfigInput, MachineType } from "./config/machineConfigInput";
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
export { installerImage, type InstallerOptions } from "./config/installerImage";
export { type ImageCustomization, schematic, type Schematic } from "./config/schematic";
