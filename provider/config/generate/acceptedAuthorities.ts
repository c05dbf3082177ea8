import type { CertificateAndKey } from "../../pki/secretsBundle";
import type { MachineBasics } from "../machineBasics";
import type { ConfigDocument } from "../machineConfig";
import type { VersionContract } from "../releases/versionContract";
import { acceptedSecretboxKeys } from "./acceptedSecretboxKeys";
import { acceptedServiceAccountKeys, type ApiServerFiles } from "./acceptedServiceAccountKeys";
import type { Generated, Generator } from "./generator";
import {
  aggregatorDocument,
  encryptionDocument,
  hasKeyDocuments,
  type KeyDocument,
  serviceAccountDocument,
} from "./keyDocuments";
import { union } from "./mapping";

/** CAs, keys and tokens that machines accept besides the ones that they use, during a rotation. */
export interface AcceptedAuthorities {
  /** CAs of the Talos API, each base64 of PEM. Default: none. */
  readonly talosCa?: readonly string[] | undefined;
  /** CAs of the Kubernetes API, each base64 of PEM. Default: none. */
  readonly kubernetesCa?: readonly string[] | undefined;
  /** CAs of etcd, each base64 of PEM. Only control planes have them. Default: none. */
  readonly etcdCa?: readonly string[] | undefined;
  /** CAs of the aggregator, each base64 of PEM. Only control planes have them. Default: none. */
  readonly aggregatorCa?: readonly string[] | undefined;
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

/** The cluster's endpoint, which is what Talos names as the issuer of service account tokens. */
interface ClusterEndpoint {
  /** URL of the Kubernetes API. */
  readonly endpoint: string;
}

/** What machines accept during a rotation. */
export interface AcceptedAuthoritiesOptions {
  /** Additional CAs that machines accept, during a rotation. Default: none. */
  readonly acceptedAuthorities?: AcceptedAuthorities | undefined;
}

/**
 * What machines accept during a rotation. For the Talos API and the Kubernetes API it is in
 * `machine.acceptedCAs` and `cluster.acceptedCAs`, from contract v1.14 on in `KubeAPIServerCAConfig`.
 * Talos adds the issuing CA itself (v1.12.1, `controllers/secrets/root.go`). A worker's API accepts the
 * CAs that trustd sends with its certificate (`controllers/secrets/api.go`).
 *
 * etcd's CAs are all in `cluster.etcd.ca.crt`, the issuing one first. Talos writes this text to
 * etcd's and the API server's file of trusted CAs, and issues with its first certificate
 * (`controllers/etcd/pki.go`, `k8s/render_secrets_static_pod.go`; siderolabs/crypto v0.6.4,
 * `NewCertificateAuthorityFromCertificateAndKey`). Up to v1.13, the aggregator's CAs are in
 * `cluster.aggregatorCA.crt` in the same way: Talos writes this text to the API server's file of CAs for
 * requests that others pass on, and issues with its first certificate (v1.12.1 and v1.13.9,
 * `k8s/render_secrets_static_pod.go`, `secrets/kubernetes_dynamic_certs.go`).
 *
 * Where API servers find further keys depends on the Talos of the machines. From v1.14 on, that is in
 * documents, only while there are several of a kind. So a configuration without a rotation, or with a
 * completed one, is the same for every Talos.
 */
export const acceptedAuthorities: Generator<AcceptedAuthoritiesOptions & ClusterEndpoint> = {
  generate(options, contract) {
    const { acceptedAuthorities: accepted = {}, machineType, secretsBundle } = options;
    const { talosCa = [], etcdCa = [] } = accepted;
    // The document of the issuing CA has the accepted ones too: see `kubernetesDocuments`.
    const { kubernetesCa = [] } = contract.kubernetesDocuments ? {} : accepted;
    const list = (certificates: readonly string[]) => certificates.map((crt) => ({ crt }));
    const config = {
      ...(talosCa.length > 0 && { machine: { acceptedCAs: list(talosCa) } }),
      ...(kubernetesCa.length > 0 && { cluster: { acceptedCAs: list(kubernetesCa) } }),
    };
    if (machineType === "worker") {
      return { config };
    }
    const crt = allIn(secretsBundle.certs.etcd, etcdCa);
    const ofEtcd = etcdCa.length > 0 ? { cluster: { etcd: { ca: { crt } } } } : {};
    const keys = hasKeyDocuments(options.talosVersion ?? options.versionContract)
      ? inDocuments(options, accepted, contract)
      : { config: inFiles(options, accepted) };
    return { ...keys, config: [ofEtcd, keys.config ?? {}].reduce(union, config) };
  },
};

type Options = AcceptedAuthoritiesOptions & ClusterEndpoint & MachineBasics;

/** The keys of API servers, as files that they read beside those of Talos, and the aggregator's CAs. */
function inFiles({ secretsBundle }: Options, accepted: AcceptedAuthorities): ConfigDocument {
  const { serviceAccountKey = [], secretboxKey = [], aggregatorCa = [] } = accepted;
  const read: ApiServerFiles[] = [
    ...(serviceAccountKey.length > 0 ? [acceptedServiceAccountKeys(serviceAccountKey)] : []),
    ...(secretboxKey.length > 0 ? [acceptedSecretboxKeys(secretboxKey, secretsBundle)] : []),
  ];
  const parts: ConfigDocument[] = read.map(({ apiServer }) => ({ cluster: { apiServer } }));
  const crt = allIn(secretsBundle.certs.k8saggregator, aggregatorCa);
  return [
    ...(aggregatorCa.length > 0 ? [{ cluster: { aggregatorCA: { crt } } }] : []),
    ...parts,
    ...(read.length > 0 ? [{ machine: { files: read.flatMap(({ files }) => files) } }] : []),
  ].reduce(union, {});
}

/** The keys of API servers and the CAs of the aggregator, as documents of Talos v1.14. */
function inDocuments(
  { secretsBundle, endpoint }: Options,
  accepted: AcceptedAuthorities,
  contract: VersionContract,
): Generated {
  const { serviceAccountKey = [], secretboxKey = [], aggregatorCa = [] } = accepted;
  const made: KeyDocument[] = [
    ...(aggregatorCa.length > 0 ? [aggregatorDocument(aggregatorCa, secretsBundle)] : []),
    ...(secretboxKey.length > 0 ? [encryptionDocument(secretboxKey, secretsBundle, contract)] : []),
    ...(serviceAccountKey.length > 0
      ? [serviceAccountDocument(serviceAccountKey, secretsBundle, endpoint)]
      : []),
  ];
  return {
    documents: made.map(({ document }) => document),
    replaced: made.flatMap(({ replaced }) => replaced),
  };
}

/**
 * The certificates of a CA and of those that are accepted too, as one text in base64, each on lines of
 * its own. In a preview, one of them may be unknown.
 */
function allIn({ crt }: CertificateAndKey, accepted: readonly string[]): string {
  const plain = [crt, ...accepted].map((text) =>
    Buffer.from(text, "base64").toString("latin1").trimEnd(),
  );
  return Buffer.from(plain.map((text) => `${text}\n`).join(""), "latin1").toString("base64");
}
