import type { CertificateAndKey, SecretsBundle } from "../secretsBundle";
import type { Authority, KeyOrToken } from "./rotation";

/** The places of the CAs in a secrets bundle. */
const PLACES = {
  talosCa: "os",
  kubernetesCa: "k8s",
  etcdCa: "etcd",
  aggregatorCa: "k8saggregator",
} as const satisfies Record<Authority, keyof SecretsBundle["certs"]>;

/** A CA of a bundle. */
export function authorityIn({ certs }: SecretsBundle, authority: Authority): CertificateAndKey {
  return certs[PLACES[authority]];
}

/** A bundle with another CA. */
export function withAuthority(
  bundle: SecretsBundle,
  authority: Authority,
  pair: CertificateAndKey,
): SecretsBundle {
  return { ...bundle, certs: { ...bundle.certs, [PLACES[authority]]: pair } };
}

/**
 * A key or token of a bundle.
 *
 * @throws Error for a secretbox key that the cluster doesn't have
 */
export function keyOrTokenIn(
  { certs, cluster, secrets, trustdinfo }: SecretsBundle,
  secret: KeyOrToken,
): string {
  switch (secret) {
    case "serviceAccountKey":
      return certs.k8sserviceaccount.key;
    case "secretboxKey":
      if (secrets.secretboxencryptionsecret === undefined) {
        throw new Error(
          "the secretbox key can't be rotated, because this cluster has none: it is from before Talos v1.3, and its Secrets are encrypted with AES-CBC. Take secretboxKey out of rotation",
        );
      }
      return secrets.secretboxencryptionsecret;
    case "bootstrapToken":
      return secrets.bootstraptoken;
    case "trustdToken":
      return trustdinfo.token;
    case "discoveryIdentity":
      return joinIdentity(cluster);
  }
}

/** A bundle with another key or token. */
export function withKeyOrToken(
  bundle: SecretsBundle,
  secret: KeyOrToken,
  value: string,
): SecretsBundle {
  switch (secret) {
    case "serviceAccountKey":
      return { ...bundle, certs: { ...bundle.certs, k8sserviceaccount: { key: value } } };
    case "secretboxKey":
      return { ...bundle, secrets: { ...bundle.secrets, secretboxencryptionsecret: value } };
    case "bootstrapToken":
      return { ...bundle, secrets: { ...bundle.secrets, bootstraptoken: value } };
    case "trustdToken":
      return { ...bundle, trustdinfo: { token: value } };
    case "discoveryIdentity":
      return { ...bundle, cluster: splitIdentity(value) };
  }
}

/** A discovery identity as one text: its id, a dot and its secret. */
export function joinIdentity({ id, secret }: SecretsBundle["cluster"]): string {
  return `${id}.${secret}`;
}

/** The id and the secret of such a text. A secret is base64, which has no dot. */
export function splitIdentity(text: string): SecretsBundle["cluster"] {
  const dot = text.lastIndexOf(".");
  return { id: text.slice(0, dot), secret: text.slice(dot + 1) };
}
