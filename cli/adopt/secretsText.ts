import { type Properties, mappingAt } from "../properties";
import { textOf } from "./formerResource";

/**
 * The attribute `machine_secrets` as the text of a secrets bundle, like a file of `talosctl gen
 * secrets`. What is missing is left out, which its reader reports.
 *
 * Source: siderolabs/terraform-provider-talos v0.4.0 to v0.11.0.
 *
 * @returns JSON. Secret
 */
export function secretsText(machineSecrets: Properties): string {
  const [cluster, secrets, trustdinfo, certs] = ["cluster", "secrets", "trustdinfo", "certs"].map(
    (key) => mappingAt(machineSecrets, key),
  ) as [Properties, Properties, Properties, Properties];
  const authority = (key: string) => {
    const found = mappingAt(certs, key);
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
      k8sserviceaccount: { key: textOf(mappingAt(certs, "k8s_serviceaccount"), "key") },
      os: authority("os"),
    },
  });
}
