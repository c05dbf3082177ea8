import { stringify } from "yaml";
import type { CertificateAndKey } from "./secretsBundle";

/** What a kubeconfig says of its cluster. */
export interface KubeconfigCluster {
  /** Name of the cluster, and with the user name of the context. */
  readonly clusterName: string;
  /** URL of the Kubernetes API. */
  readonly serverUrl: string;
  /** Certificate of the Kubernetes CA, base64 of PEM, which signs the API server's certificate. */
  readonly authorityCertificate: string;
  readonly user: string;
}

/**
 * The text of a kubeconfig with one cluster, one user and one context, the current one. Secret: it
 * contains the user's key. The context has Talos' form of a name: `<user>@<cluster>`.
 */
export function renderKubeconfig({
  client,
  ...cluster
}: KubeconfigCluster & {
  /** The user's certificate and key. */
  readonly client: CertificateAndKey;
}): string {
  return kubeconfigText(cluster, {
    "client-certificate-data": client.crt,
    "client-key-data": client.key,
  });
}

/** The same with any user; secret if the user's entry is. */
export function kubeconfigText(
  { clusterName, serverUrl, authorityCertificate, user }: KubeconfigCluster,
  identity: object,
): string {
  const name = `${user}@${clusterName}`;
  const cluster = { server: serverUrl, "certificate-authority-data": authorityCertificate };
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: clusterName, cluster }],
      users: [{ name, user: identity }],
      contexts: [{ name, context: { cluster: clusterName, user: name } }],
      "current-context": name,
    },
    { lineWidth: 0, version: "1.1", aliasDuplicateObjects: false },
  );
}
