import type { ConfigDocument } from "../machineConfig";
import { acceptedSecretboxKeys } from "./acceptedSecretboxKeys";
import { acceptedServiceAccountKeys, type ApiServerFiles } from "./acceptedServiceAccountKeys";
import type { Generator } from "./generator";
import { union } from "./mapping";

/** CAs, keys and tokens that machines accept besides the ones that they use, during a rotation. */
export interface AcceptedAuthorities {
  /** CAs of the Talos API, each base64 of PEM. Default: none. */
  readonly talosCa?: readonly string[] | undefined;
  /** CAs of the Kubernetes API, each base64 of PEM. Default: none. */
  readonly kubernetesCa?: readonly string[] | undefined;
  /** CAs of etcd, each base64 of PEM. Only control planes have them. Default: none. */
  readonly etcdCa?: readonly string[] | undefined;
  /**
   * All public service account keys that API servers accept, each base64 of PEM, with the one of
   * the key that signs. Only control planes have them. Default: the one of the key that signs.
   */
  readonly serviceAccountKey?: readonly string[] | undefined;
  /**
   * All secretbox keys with which API servers read Secrets, the older one first, with the one that
   * encrypts. Only control planes have them. Secret. Default: the one that encrypts.
   */
  readonly secretboxKey?: readonly string[] | undefined;
  /** Tokens with which kubelets may join. Only control planes have them. Secret. Default: none. */
  readonly bootstrapToken?: readonly string[] | undefined;
}

/** What machines accept during a rotation. */
export interface AcceptedAuthoritiesOptions {
  /** Additional CAs that machines accept, during a rotation. Default: none. */
  readonly acceptedAuthorities?: AcceptedAuthorities | undefined;
}

/**
 * What machines accept during a rotation. For the Talos API and the Kubernetes API it is in
 * `machine.acceptedCAs` and `cluster.acceptedCAs`. Talos adds the issuing CA itself (v1.12.1,
 * `controllers/secrets/root.go`). A worker's API accepts the CAs that trustd sends with its
 * certificate (`controllers/secrets/api.go`).
 *
 * etcd's CAs are all in `cluster.etcd.ca.crt`, the issuing one first. Talos writes this text to
 * etcd's and the API server's file of trusted CAs, and issues with its first certificate
 * (`controllers/etcd/pki.go`, `k8s/render_secrets_static_pod.go`; siderolabs/crypto v0.6.4,
 * `NewCertificateAuthorityFromCertificateAndKey`).
 */
export const acceptedAuthorities: Generator<AcceptedAuthoritiesOptions> = {
  generate({ acceptedAuthorities: accepted = {}, machineType, secretsBundle }) {
    const { talosCa = [], kubernetesCa = [], etcdCa = [] } = accepted;
    const { serviceAccountKey = [], secretboxKey = [] } = accepted;
    const list = (certificates: readonly string[]) => certificates.map((crt) => ({ crt }));
    const config = {
      ...(talosCa.length > 0 && { machine: { acceptedCAs: list(talosCa) } }),
      ...(kubernetesCa.length > 0 && { cluster: { acceptedCAs: list(kubernetesCa) } }),
    };
    if (machineType === "worker") {
      return { config };
    }
    const read: ApiServerFiles[] = [
      ...(serviceAccountKey.length > 0 ? [acceptedServiceAccountKeys(serviceAccountKey)] : []),
      ...(secretboxKey.length > 0 ? [acceptedSecretboxKeys(secretboxKey, secretsBundle)] : []),
    ];
    const parts: ConfigDocument[] = read.map(({ apiServer }) => ({ cluster: { apiServer } }));
    if (read.length > 0) {
      parts.push({ machine: { files: read.flatMap(({ files }) => files) } });
    }
    if (etcdCa.length > 0) {
      const crt = join([secretsBundle.certs.etcd.crt, ...etcdCa]);
      parts.push({ cluster: { etcd: { ca: { crt } } } });
    }
    return { config: parts.reduce(union, config) };
  },
};

/** Texts in base64 as one, each on lines of its own. In a preview, one of them may be unknown. */
function join(texts: readonly string[]): string {
  const plain = texts.map((text) => Buffer.from(text, "base64").toString("latin1").trimEnd());
  return Buffer.from(plain.map((text) => `${text}\n`).join(""), "latin1").toString("base64");
}
