export type { CosiResource } from "./api/cosiResource";
export type { MachineDisk } from "./api/informationCalls";
export { TalosApiError } from "./api/talosApiError";
export type { ServiceStatus, TalosVersion } from "./api/talosClient";
export type { TalosErrorCode } from "./api/talosErrorCode";
export type { MemberSpec } from "./api/talosResources";
export { WaitTimeoutError } from "./api/waitFor";
export { ConfigError, type ConfigProblem } from "./config/configError";
export type { ContractDefault } from "./config/releases/contractFeatures";
export type { AcceptedAuthorities } from "./config/generate/acceptedAuthorities";
export type { Cni } from "./config/generate/clusterNetwork";
export type { DiskEncryption } from "./config/generate/diskEncryption";
export type { EncryptionKey } from "./config/generate/encryptionKey";
export type { ExternalCloudProvider } from "./config/generate/externalCloudProvider";
export type { InlineManifest } from "./config/generate/inlineManifest";
export type { InterfaceSelector } from "./config/generate/interfaceSelector";
export type { KernelModule } from "./config/generate/kernel";
export type { ApiRole, MachineFeatures } from "./config/generate/machineFeatures";
export type { NetworkInterface, NetworkRoute } from "./config/generate/networkInterfaces";
export type { SecretsEncryption } from "./config/generate/secretsEncryption";
export type { UserVolume } from "./config/generate/userVolumes";
export type { MachineConfigPatch } from "./config/gen/machineConfigPatch";
export type { MachineType } from "./config/machineBasics";
export type { MachineConfigInput } from "./config/machineConfigInput";
export type { ConfigDocument, YamlValue } from "./config/machineConfig";
export type { JsonPatchOperation } from "./config/patches/jsonPatch";
export type { Patch, PatchFile } from "./config/patches/patch";
export type { PlannedSetting, PlannedSettings } from "./config/plannedSettings";
export type { EtcdSnapshotFile } from "./lifecycle/etcd/etcdSnapshotFile";
export { getDisks, getDisksOutput } from "./functions/getDisks";
export { getMembers, getMembersOutput } from "./functions/getMembers";
export { getResources, getResourcesOutput, type GetResourcesArgs } from "./functions/getResources";
export { getServices, getServicesOutput } from "./functions/getServices";
export { getVersion, getVersionOutput } from "./functions/getVersion";
export type { MachineQueryArgs, MaintenanceQueryArgs } from "./functions/machineQuery";
export type { HealthGate } from "./lifecycle/health/awaitHealth";
export type { ApplyMode, FirstDelivery, Takeover } from "./lifecycle/delivery/delivery";
export type { WhenBlocked } from "./lifecycle/kubernetes/drainNode";
export type { OnDestroy } from "./engine/onDestroy";
export type { ClientCredentials, Role } from "./pki/clientCredentials";
export {
  type JsonWebKey,
  type JsonWebKeySet,
  PublicKeyError,
  serviceAccountKeySet,
} from "./pki/jsonWebKeySet";
export type {
  Authority,
  KeyOrToken,
  RotatableSecret,
  Rotation,
  RotationStage,
  RotationStep,
} from "./pki/rotation/rotation";
export type { CertificateAndKey, SecretsBundle } from "./pki/secretsBundle";
export type { DrainArgs } from "./resources/configurationApply/applyDrain";
export { ClientConfiguration, type ClientConfigurationArgs } from "./resources/clientConfiguration";
export { ClusterHealth, type ClusterHealthArgs } from "./resources/clusterHealth";
export { ClusterKubeconfig, type ClusterKubeconfigArgs } from "./resources/clusterKubeconfig";
export {
  ConfigurationApply,
  type ConfigurationApplyArgs,
} from "./resources/configurationApply/configurationApply";
export {
  ConfigurationRollout,
  type ConfigurationRolloutArgs,
  type RolloutMachine,
} from "./resources/configurationRollout";
export type { ConfigurationRevision } from "./resources/configurationRevision";
export { EtcdMember, type EtcdMemberArgs } from "./resources/etcdMember";
export type { AwsKeysArgs, ConsoleArgs, ConsoleRoleArgs } from "./resources/consoleArgs";
export { FirstContact, type FirstContactArgs } from "./resources/firstContact";
export { ImmutableArguments, type ImmutableArgumentsArgs } from "./resources/immutableArguments";
export { MachineBootstrap, type MachineBootstrapArgs } from "./resources/machineBootstrap";
export {
  MachineConfiguration,
  type MachineConfigurationArgs,
} from "./resources/machineConfiguration";
export { MachineSecrets, type MachineSecretsArgs } from "./resources/machineSecrets";
export { KubernetesManifests, type KubernetesManifestsArgs } from "./resources/kubernetesManifests";
export { KubernetesObjects, type KubernetesObjectsArgs } from "./resources/kubernetesObjects";
export { KubernetesUpgrade, type KubernetesUpgradeArgs } from "./resources/kubernetesUpgrade";
export { MachineTurn, type MachineTurnArgs } from "./resources/machineTurn";
export { RotatedAuthority, type RotatedAuthorityArgs } from "./resources/rotatedAuthority";
export { RotatedSecret, type RotatedSecretArgs } from "./resources/rotatedSecret";
export { RotationGate, type RotationGateArgs } from "./resources/rotationGate";
export { UserKubeconfig, type UserKubeconfigArgs } from "./resources/userKubeconfig";
export { installerImage, type InstallerOptions } from "./config/installer/installerImage";
export type { Platform } from "./config/installer/platform";
export { type ImageCustomization, schematic, type Schematic } from "./config/installer/schematic";
