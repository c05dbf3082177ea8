import { stringify } from "yaml";
import type { CertificateAndKey } from "./secretsBundle";

/**
 * The text of a kubeconfig with one cluster, one user and one context, the current one. Secret: it
 * contains the user's key. The context has Talos' form of a name: `<user>@<cluster>`.
 */
export function renderKubeconfig(input: {
  /** Name of the cluster, and with the user name of the context. */
  clusterName: string;
  /** URL of the Kubernetes API. */
  serverUrl: string;
  /** Certificate of the Kubernetes CA, base64 of PEM, which signs the API server's certificate. */
  authorityCertificate: string;
  user: string;
  /** The user's certificate and key. */
  client: CertificateAndKey;
}): string {
  const { clusterName, serverUrl, authorityCertificate, user, client } = input;
  const name = `${user}@${clusterName}`;
  const cluster = { server: serverUrl, "certificate-authority-data": authorityCertificate };
  const identity = { "client-certificate-data": client.crt, "client-key-data": client.key };
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
