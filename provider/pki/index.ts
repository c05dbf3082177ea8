// Why this room is as it is: docs/decisions/configuration.md.

export { createCertificateAuthority } from "./certificateAuthority";
export { certificateExpiry } from "./certificateExpiry";
export { expandCredentials } from "./compactCredentials";
export { deriveServingCertificate } from "./deriveServingCertificate";
export { importSecrets } from "./importSecrets";
export { issueCertificate, selfSignedCertificate } from "./issueCertificate";
export { PublicKeyError, readPublicKey } from "./jsonWebKeySet";
export { fromBase64, joinCertificates, nodeKey, readCertificate, readPrivateKey } from "./pem";
export { type KubeconfigCluster, kubeconfigText } from "./renderKubeconfig";
export { renderTalosconfig } from "./renderTalosconfig";
export { checkRotation } from "./rotation/checkRotation";
export { generationsOf, planGenerations } from "./rotation/planGenerations";
export { planTrustdToken } from "./rotation/planTrustdToken";
export {
  authorityIn,
  keyOrTokenIn,
  splitIdentity,
  withAuthority,
  withKeyOrToken,
} from "./rotation/rotatedBundle";
export { AUTHORITIES, KEYS_AND_TOKENS, labelOf, type RotatableSecret } from "./rotation/rotation";
export type { CertificateAndKey, SecretsBundle } from "./secretsBundle";
export { SecretsBundleError } from "./secretsBundleError";
export { createSerialNumber, distinguishedName } from "./signCertificate";
export { WITHHELD } from "./withheld";
export { workerSecrets } from "./workerSecrets";
