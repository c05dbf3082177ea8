import type { CertificateAndKey, SecretsBundle } from "./secretsBundle";
import { WITHHELD } from "./withheld";

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
      ...(secretbox !== undefined && { secretboxencryptionsecret: WITHHELD }),
      ...(aescbc !== undefined && { aescbcencryptionsecret: WITHHELD }),
    },
    trustdinfo,
    certs: {
      etcd: withoutKey(certs.etcd),
      k8s: withoutKey(certs.k8s),
      k8saggregator: withoutKey(certs.k8saggregator),
      k8sserviceaccount: { key: WITHHELD },
      os: withoutKey(certs.os),
    },
  };
}

function withoutKey({ crt }: CertificateAndKey): CertificateAndKey {
  return { crt, key: WITHHELD };
}
