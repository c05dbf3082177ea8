/**
 * The origin of a secret. `generated` ones are random and long, so a short fingerprint identifies
 * one without revealing it. `pem` ones are generated too, and in PEM where older documents have
 * base64 of it: both forms have one fingerprint. People make up `chosen` ones, so trying passwords
 * against a fingerprint could find them.
 */
export type SecretKind = "generated" | "pem" | "chosen";

/**
 * The fields of configuration documents that contain a secret, by type and field of the schema.
 * They include whole files, because those can contain anything. A test finds every field of the
 * schema with a secret-sounding name, and requires it here or in its own list of public ones.
 */
const secretFields: ReadonlyMap<string, SecretKind> = new Map([
  ["v1alpha1.MachineConfig.token", "generated"],
  ["v1alpha1.ClusterConfig.token", "generated"],
  ["v1alpha1.ClusterConfig.secret", "generated"],
  ["v1alpha1.ClusterConfig.aescbcEncryptionSecret", "generated"],
  ["v1alpha1.ClusterConfig.secretboxEncryptionSecret", "generated"],
  ["x509.PEMEncodedCertificateAndKey.key", "generated"],
  ["x509.PEMEncodedKey.key", "generated"],
  ["meta.CertificateAndKey.key", "pem"],
  ["v1alpha1.DeviceWireguardConfig.privateKey", "generated"],
  ["network.WireguardConfigV1Alpha1.privateKey", "generated"],
  ["network.WireguardPeer.presharedKey", "generated"],
  ["v1alpha1.VIPEquinixMetalConfig.apiToken", "generated"],
  ["v1alpha1.VIPHCloudConfig.apiToken", "generated"],
  ["network.HCloudVIPConfigV1Alpha1.apiToken", "generated"],
  ["v1alpha1.RegistryAuthConfig.identityToken", "generated"],
  ["cri.RegistryAuthConfigV1Alpha1.identityToken", "generated"],
  ["siderolink.ConfigV1Alpha1.uniqueToken", "generated"],
  ["v1alpha1.RegistryAuthConfig.password", "chosen"],
  ["v1alpha1.RegistryAuthConfig.auth", "chosen"],
  ["cri.RegistryAuthConfigV1Alpha1.password", "chosen"],
  ["cri.RegistryAuthConfigV1Alpha1.auth", "chosen"],
  ["v1alpha1.EncryptionKeyStatic.passphrase", "chosen"],
  ["block.EncryptionKeyStatic.passphrase", "chosen"],
  ["v1alpha1.ClusterConfig.extraManifestHeaders", "chosen"],
  ["v1alpha1.MachineFile.content", "chosen"],
  ["extensions.ConfigFile.content", "chosen"],
  ["cluster.DiscoveryIdentityConfigV1Alpha1.clusterSecret", "generated"],
  ["k8s.IssuerServiceAccountConfig.privateKey", "pem"],
  ["k8s.KubeExternalManifestConfigV1Alpha1.headers", "chosen"],
  ["runtime.EtcFileConfigV1Alpha1.contents", "chosen"],
  ["cri.CRICustomizationConfigV1Alpha1.content", "chosen"],
]);

/**
 * Free content of fields in which every value of one name is a secret, at any depth. Source: Talos
 * v1.14.1, `redactEncryptionConfigObject` in `types/k8s/etcd_encryption.go`.
 */
const secretsInside: ReadonlyMap<string, SecretInside> = new Map([
  ["k8s.KubeEtcdEncryptionConfigV1Alpha1.config", { name: "secret", kind: "generated" }],
]);

/** The name of the secrets in free content, and their kind. */
export interface SecretInside {
  readonly name: string;
  readonly kind: SecretKind;
}

/** The secrets in the free content of a field of the schema; undefined for none. */
export function secretInside(type: string, field: string): SecretInside | undefined {
  return secretsInside.get(`${type}.${field}`);
}

/** The kind of secret in a field of the schema; undefined for none. */
export function secretField(type: string, field: string): SecretKind | undefined {
  return secretFields.get(`${type}.${field}`);
}
