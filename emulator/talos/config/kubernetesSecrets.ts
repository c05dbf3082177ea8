import { type ConfigDocument, isMapping, type YamlValue } from "../../../provider/config";
import type { CertificateAndKey } from "../../../provider/pki";
import { fileOfFlag } from "./apiServerFiles";
import {
  type EncryptionKeys,
  keysInFile,
  keysOfResources,
  pluginSockets,
  talosKeys,
} from "./encryptionKeys";
import { textAt, textsAt, valueAt } from "./yamlPath";

/** A CA and the others that are accepted beside it. */
export interface AuthorityFacts {
  /** The one that issues; without a key on a worker. */
  readonly issuing: CertificateAndKey | undefined;
  /** All accepted ones, each base64 of PEM, the issuing one first. */
  readonly accepted: readonly string[];
}

/** Whose service account tokens an API server accepts. */
export interface ServiceAccountFacts {
  /** PEM texts with the keys of accepted tokens, first the private key that signs. */
  readonly keys: readonly string[];
  /** The issuers of accepted tokens, first the one that it names in its own. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
}

/** The documents of a configuration by their kind, and the v1alpha1 one. */
interface Configured {
  readonly config: ConfigDocument;
  readonly documents: readonly ConfigDocument[];
}

/**
 * The CAs of the Kubernetes API. A document of Talos v1.14 counts instead of the fields. Source:
 * talos v1.14.1, `types/k8s/apiserver_ca.go`, `types/v1alpha1/v1alpha1_k8s_bridge.go`.
 */
export function kubernetesAuthority(configured: Configured): AuthorityFacts {
  const document = documentOf(configured, "KubeAPIServerCAConfig");
  if (document !== undefined) {
    return authorityOfDocument(document);
  }
  const issuing = certificateAndKeyAt(configured.config, "cluster", "ca");
  const list = valueAt(configured.config, "cluster", "acceptedCAs");
  const others = (Array.isArray(list) ? list : []).flatMap((each) => textAt(each, "crt") ?? []);
  return { issuing, accepted: [...(issuing ? [issuing.crt] : []), ...others] };
}

/**
 * The CAs of requests that API servers pass on to each other and to aggregated ones. Of a field's
 * certificates, the first issues, and API servers accept all of them. Sources: talos v1.14.1,
 * `types/k8s/aggregator_ca.go`; v1.12.1, `controllers/k8s/render_secrets_static_pod.go`, which writes the
 * field as it is.
 */
export function aggregatorAuthority(configured: Configured): AuthorityFacts {
  const document = documentOf(configured, "KubeAggregatorCAConfig");
  if (document !== undefined) {
    return authorityOfDocument(document);
  }
  const issuing = certificateAndKeyAt(configured.config, "cluster", "aggregatorCA");
  return { issuing, accepted: issuing ? certificatesIn(issuing.crt) : [] };
}

/**
 * The service accounts of an API server. Additional flags count instead of the configuration's
 * issuer and audiences; one with "_" is the same flag a second time. Sources: talos v1.14.1,
 * `controllers/secrets/root.go`, `controllers/k8s/control_plane_final.go`; v1.12.1 sets the same flags
 * in `control_plane_static_pod.go`.
 */
export function serviceAccountFacts(configured: Configured): ServiceAccountFacts {
  const { config } = configured;
  const document = documentOf(configured, "KubeServiceAccountConfig");
  const own = Buffer.from(textAt(config, "cluster", "serviceAccount", "key") ?? "", "base64");
  const issuer =
    document === undefined
      ? textAt(config, "cluster", "controlPlane", "endpoint")
      : textAt(document, "issuer", "issuerURL");
  const audiences = textsAt(document, "accepted", "audiences");
  const defaults = {
    issuers: [...[issuer ?? []].flat(), ...textsAt(document, "accepted", "issuers")],
    audiences: audiences.length > 0 ? audiences : [issuer ?? []].flat(),
  };
  const flag = (name: string) =>
    valuesOf(valueAt(config, "cluster", "apiServer", "extraArgs", name));
  const further = flag("service_account_issuer");
  const given = flag("service-account-issuer");
  const chosen = flag("api-audiences").flatMap((text) => text.split(","));
  const ofDocument = textAt(document, "issuer", "privateKey");
  return {
    keys: [
      ofDocument ?? own.toString("utf8"),
      ...textsAt(document, "accepted", "publicKeys"),
      ...[fileOfFlag(config, "service_account_key_file")?.content ?? []].flat(),
    ],
    issuers: [...(given.length > 0 ? given : defaults.issuers), ...further],
    audiences: chosen.length > 0 ? chosen : defaults.audiences,
  };
}

/**
 * The keys of Secrets in a configuration, or instead those in the file of an additional flag. Source:
 * talos v1.14.1, `k8stemplates.APIServerEncryptionConfig`.
 */
export function encryptionKeys(configured: Configured): EncryptionKeys {
  const { config } = configured;
  const file = fileOfFlag(config, "encryption_provider_config");
  if (file !== undefined) {
    return keysInFile(file.content);
  }
  const document = documentOf(configured, "KubeEtcdEncryptionConfig");
  if (document !== undefined) {
    return keysOfResources(
      isMapping(document.config) ? document.config : null,
      pluginSockets(configured.documents),
    );
  }
  const [secretbox, aescbc] = ["secretboxEncryptionSecret", "aescbcEncryptionSecret"].map((key) =>
    textAt(config, "cluster", key),
  );
  return talosKeys(secretbox, aescbc);
}

/** The certificate and key in a field, in base64 as Talos' fields have them. */
export function certificateAndKeyAt(
  config: ConfigDocument,
  ...path: string[]
): CertificateAndKey | undefined {
  const crt = textAt(config, ...path, "crt");
  return crt === undefined ? undefined : { crt, key: textAt(config, ...path, "key") ?? "" };
}

function documentOf({ documents }: Configured, kind: string): ConfigDocument | undefined {
  return documents.find((document) => document.kind === kind);
}

function authorityOfDocument(document: ConfigDocument): AuthorityFacts {
  const [crt, key] = ["cert", "key"].map((part) => textAt(document, "issuingCA", part));
  const others = textsAt(document, "acceptedCAs").map(base64);
  // A worker's kubelet trusts the accepted ones.
  const issuing =
    crt === undefined
      ? others.slice(0, 1).map((each) => ({ crt: each, key: "" }))[0]
      : { crt: base64(crt), key: base64(key ?? "") };
  return { issuing, accepted: crt === undefined ? others : [base64(crt), ...others] };
}

/** The certificates of a text in base64, each in base64. */
function certificatesIn(crt: string): readonly string[] {
  const pem = Buffer.from(crt, "base64").toString("utf8");
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return blocks.length > 1 ? blocks.map(base64) : [crt];
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A flag's values: one text, or a list of them. */
function valuesOf(value: YamlValue | undefined): readonly string[] {
  return [value ?? []].flat().filter((each) => typeof each === "string");
}
