import type { ConfigDocument } from "../config/machineConfig";
import type { SecretsBundle } from "./secretsBundle";
import { SecretsReader } from "./secretsReader";

/**
 * The place of each secret in a kind of document: dotted paths. A CA has `crt` and `key` below its
 * path.
 */
export interface SecretsLayout {
  readonly id: string;
  readonly secret: string;
  readonly bootstrapToken: string;
  readonly secretboxSecret: string;
  readonly aescbcSecret: string;
  readonly trustdToken: string;
  readonly etcd: string;
  readonly k8s: string;
  readonly k8sAggregator: string;
  readonly k8sServiceAccountKey: string;
  readonly os: string;
}

/**
 * The secrets in a document, each checked like its reader does: Talos, etcd and Kubernetes.
 *
 * @param now when certificates must still be valid
 * @param isWhole whether the document contains only secrets, so that any other key is a mistake
 * @throws SecretsBundleError with all problems
 */
export function collectSecrets(
  document: ConfigDocument,
  layout: SecretsLayout,
  { now, isWhole }: { readonly now: Date; readonly isWhole: boolean },
): SecretsBundle {
  const reader = new SecretsReader(document, now);
  const cluster = {
    id: reader.id(layout.id),
    secret: reader.symmetricKey(layout.secret, [32]),
  };
  const secrets = {
    bootstraptoken: reader.token(layout.bootstrapToken),
    ...(reader.has(layout.aescbcSecret)
      ? { aescbcencryptionsecret: reader.symmetricKey(layout.aescbcSecret, [16, 24, 32]) }
      : {}),
    // If both are missing, the message names the newer one.
    ...(reader.has(layout.secretboxSecret) || !reader.has(layout.aescbcSecret)
      ? { secretboxencryptionsecret: reader.symmetricKey(layout.secretboxSecret, [32]) }
      : {}),
  };
  const trustdinfo = { token: reader.token(layout.trustdToken) };
  const certs = {
    etcd: reader.authority(layout.etcd),
    k8s: reader.authority(layout.k8s),
    k8saggregator: reader.authority(layout.k8sAggregator),
    k8sserviceaccount: { key: reader.privateKey(layout.k8sServiceAccountKey, ["rsa", "ec"]) },
    os: reader.authority(layout.os),
  };
  if (isWhole) {
    const { etcd, k8s, k8sAggregator, os, ...single } = layout;
    const authorities = [etcd, k8s, k8sAggregator, os];
    reader.allowOnly([
      ...Object.values<string>(single),
      ...authorities.flatMap((path) => [`${path}.crt`, `${path}.key`]),
    ]);
  }
  reader.finish();
  return { cluster, secrets, trustdinfo, certs };
}
