import type { CertificateAndKey, SecretsBundle } from "../../pki/secretsBundle";
import { WITHHELD } from "../../pki/withheld";
import type { ConfigDocument } from "../machineConfig";
import { talosMinor } from "../releases/talosMinor";
import type { VersionContract } from "../releases/versionContract";
import { pemOfBase64 } from "../settings/pemForms";
import {
  encryptedResources,
  encryptionResources,
  secretboxKeys,
  secretboxProviders,
} from "./encryptionProviders";
import type { Replaced } from "./generator";
import { configDocument } from "./mapping";

const PUBLIC_KEY = "-----BEGIN PUBLIC KEY-----";

/**
 * The first Talos minor with documents that accept several keys of API servers, and several CAs of
 * the aggregator, which are all in one field before. Source: Talos v1.14.1, `pkg/machinery/config/types/k8s`.
 */
const FIRST_MINOR_WITH_KEY_DOCUMENTS = 14;

/**
 * Whether the Talos of a configuration has these documents.
 *
 * @param talosVersion the release of the machines, `v1.14.1`, or the version contract for its Talos
 */
export function hasKeyDocuments(talosVersion: string): boolean {
  return (talosMinor(talosVersion) ?? 0) >= FIRST_MINOR_WITH_KEY_DOCUMENTS;
}

/** A document, and the older fields that Talos refuses beside it. */
export interface KeyDocument {
  readonly document: ConfigDocument;
  readonly replaced: readonly Replaced[];
}

/**
 * The key that signs service accounts' tokens, in PEM. A bundle without secrets has its public half, for
 * what is published, which no document takes for a private key.
 */
export function signingKey({ k8sserviceaccount }: SecretsBundle["certs"]): string {
  const pem = pemOfBase64(k8sserviceaccount.key);
  return pem.startsWith(PUBLIC_KEY) ? WITHHELD : pem;
}

/**
 * Has API servers accept the tokens of further service account keys. Talos follows it without a
 * reboot: it writes the keys and starts the API server again.
 *
 * The issuer stays the one that Talos derives from `cluster.serviceAccount`: the cluster's endpoint,
 * which is the audience too. The flag `service-account-issuer` of `cluster.apiServer.extraArgs`
 * replaces it, as before.
 *
 * Sources: Talos v1.14.1, `types/v1alpha1/v1alpha1_k8s_bridge.go` (`serviceAccountShim`),
 * `controllers/secrets/root.go`, `controllers/k8s/control_plane_final.go`.
 *
 * @param accepted all public keys in PEM, in base64; the one that signs may be among them
 */
export function serviceAccountDocument(
  accepted: readonly string[],
  { certs }: Pick<SecretsBundle, "certs">,
  endpoint: string,
): KeyDocument {
  return {
    document: configDocument("KubeServiceAccountConfig", {
      issuer: { privateKey: signingKey(certs), issuerURL: endpoint },
      accepted: { publicKeys: accepted.map(pemOfBase64) },
    }),
    replaced: [["cluster", "serviceAccount"]],
  };
}

/**
 * Has API servers read Secrets that either of two secretbox keys encrypted. The bundle's own
 * encrypts. Talos follows it without a reboot. The text is what it renders itself from the fields,
 * with one more key; or, in a contract with the document, what that has. Source: Talos v1.14.1,
 * `k8stemplates.APIServerEncryptionConfig`.
 *
 * @param keys all secretbox keys, each 32 bytes in base64
 */
export function encryptionDocument(
  keys: readonly string[],
  { secrets }: Pick<SecretsBundle, "secrets">,
  contract: VersionContract,
): KeyDocument {
  return encryptionBy(secretboxProviders(secretboxKeys(secrets, keys)), { secrets }, contract);
}

/**
 * Has API servers encrypt Secrets with the first of these providers, and read those of all.
 *
 * @param providers of an encryption configuration: of secretbox keys, or of KMS
 */
export function encryptionBy(
  providers: readonly ConfigDocument[],
  { secrets }: Pick<SecretsBundle, "secrets">,
  contract: VersionContract,
): KeyDocument {
  const resources = contract.kubernetesDocuments
    ? encryptionResources(secrets, contract, [...providers])
    : encryptedResources(providers, secrets.aescbcencryptionsecret);
  return {
    document: configDocument("KubeEtcdEncryptionConfig", { config: { resources } }),
    replaced: [
      ["cluster", "secretboxEncryptionSecret"],
      ["cluster", "aescbcEncryptionSecret"],
    ],
  };
}

/**
 * Has API servers accept aggregated requests with certificates of further CAs. Talos follows it
 * without a reboot. Source: Talos v1.14.1, `types/k8s/aggregator_ca.go`.
 *
 * @param accepted CAs, each base64 of PEM
 */
export function aggregatorDocument(
  accepted: readonly string[],
  { certs }: Pick<SecretsBundle, "certs">,
): KeyDocument {
  const { crt, key }: CertificateAndKey = certs.k8saggregator;
  return {
    document: configDocument("KubeAggregatorCAConfig", {
      issuingCA: { cert: pemOfBase64(crt), key: pemOfBase64(key) },
      acceptedCAs: accepted.map(pemOfBase64),
    }),
    replaced: [["cluster", "aggregatorCA"]],
  };
}
