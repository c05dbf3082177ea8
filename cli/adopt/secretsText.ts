import { type Attributes, attributesAt, textOf } from "./formerResource";

/**
 * The attribute `machine_secrets` as the text of a secrets bundle, like a file of `talosctl gen
 * secrets`. What is missing is left out, which its reader reports.
 *
 * Source: siderolabs/terraform-provider-talos v0.4.0 to v0.11.0.
 *
 * @returns JSON. Secret
 */
export function secretsText(machineSecrets: Attributes): string {
  const [cluster, secrets, trustdinfo, certs] = ["cluster", "secrets", "trustdinfo", "certs"].map(
    (key) => attributesAt(machineSecrets, key),
  ) as [Attributes, Attributes, Attributes, Attributes];
  const authority = (key: string) => {
    const found = attributesAt(certs, key);
    return { crt: textOf(found, "cert"), key: textOf(found, "key") };
  };
  return JSON.stringify({
    cluster: { id: textOf(cluster, "id"), secret: textOf(cluster, "secret") },
    secrets: {
      bootstraptoken: textOf(secrets, "bootstrap_token"),
      secretboxencryptionsecret: textOf(secrets, "secretbox_encryption_secret"),
      aescbcencryptionsecret: textOf(secrets, "aescbc_encryption_secret"),
    },
    trustdinfo: { token: textOf(trustdinfo, "token") },
    certs: {
      etcd: authority("etcd"),
      k8s: authority("k8s"),
      k8saggregator: authority("k8s_aggregator"),
      k8sserviceaccount: { key: textOf(attributesAt(certs, "k8s_serviceaccount"), "key") },
      os: authority("os"),
    },
  });
}
