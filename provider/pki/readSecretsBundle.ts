import { collectSecrets, type SecretsLayout } from "./collectSecrets";
import type { SecretsBundle } from "./secretsBundle";
import { SecretsBundleError } from "./secretsBundleError";
import { decodeSecrets } from "./secretsReader";

const layout: SecretsLayout = {
  id: "cluster.id",
  secret: "cluster.secret",
  bootstrapToken: "secrets.bootstraptoken",
  secretboxSecret: "secrets.secretboxencryptionsecret",
  aescbcSecret: "secrets.aescbcencryptionsecret",
  trustdToken: "trustdinfo.token",
  etcd: "certs.etcd",
  k8s: "certs.k8s",
  k8sAggregator: "certs.k8saggregator",
  k8sServiceAccountKey: "certs.k8sserviceaccount.key",
  os: "certs.os",
};

/**
 * The secrets in the text of a file from `talosctl gen secrets`.
 *
 * Stricter than `talosctl gen config --with-secrets`, which finds some problems late or never: a
 * key of another certificate, an expired certificate, a token of the wrong form. One thing is
 * allowed that it refuses: both encryption secrets. A cluster from before Talos v1.3 that got the
 * newer one has both.
 *
 * @param now when certificates must still be valid. Default: now
 * @throws SecretsBundleError with all problems
 */
export function readSecretsBundle(text: string, now = new Date()): SecretsBundle {
  const [document, ...more] = decodeSecrets(text);
  if (document === undefined || more.length > 0) {
    const message = `holds ${more.length === 0 ? "nothing" : "more than one document"}: give the file as "talosctl gen secrets" wrote it`;
    throw new SecretsBundleError([{ path: "", message }]);
  }
  return collectSecrets(document, layout, { now, isWhole: true });
}
