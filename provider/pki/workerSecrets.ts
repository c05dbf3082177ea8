import type { CertificateAndKey, SecretsBundle } from "./secretsBundle";

/**
 * What stands for a secret that workers don't have: 32 bytes in base64, so that it is taken as a key. It isn't what stands for
 * the secrets of a state without any (`WITHHELD`), with which nothing may be changed.
 */
const CONTROL_PLANES_ALONE = Buffer.from("control-planes-alone-know-this!!").toString("base64");

/**
 * A cluster's secrets with all that only control planes have withheld: the keys of the certificate authorities, of
 * service account tokens, and of Secrets in etcd. A worker's configuration rendered from it is the same, because it contains none of
 * these. Its holder can add workers, and can't act as a client, an administrator or a control plane.
 */
export function workerSecrets(bundle: SecretsBundle): SecretsBundle {
  const { cluster, secrets, trustdinfo, certs } = bundle;
  const { secretboxencryptionsecret: secretbox, aescbcencryptionsecret: aescbc } = secrets;
  return {
    cluster,
    secrets: {
      bootstraptoken: secrets.bootstraptoken,
      ...(secretbox !== undefined && { secretboxencryptionsecret: CONTROL_PLANES_ALONE }),
      ...(aescbc !== undefined && { aescbcencryptionsecret: CONTROL_PLANES_ALONE }),
    },
    trustdinfo,
    certs: {
      etcd: withoutKey(certs.etcd),
      k8s: withoutKey(certs.k8s),
      k8saggregator: withoutKey(certs.k8saggregator),
      k8sserviceaccount: { key: CONTROL_PLANES_ALONE },
      os: withoutKey(certs.os),
    },
  };
}

function withoutKey({ crt }: CertificateAndKey): CertificateAndKey {
  return { crt, key: CONTROL_PLANES_ALONE };
}
