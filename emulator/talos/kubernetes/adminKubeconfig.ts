import { stringify } from "yaml";
import { issueCertificate, joinCertificates } from "../../../provider/pki";
import type { MachineFacts } from "../config/machineFacts";

const BACKDATE_MS = 10 * 1000;

/**
 * The administrator's kubeconfig of a cluster: a client certificate for `certLifetime`, the cluster's
 * endpoint, all accepted CAs, and Talos' names (talos v1.12.1, `pkg/kubeconfig/generate.go`).
 * Throws an `Error` without the Kubernetes CA's key.
 */
export async function adminKubeconfig(facts: MachineFacts): Promise<string> {
  const { kubernetesCa, kubernetesAcceptedCas, clusterName, endpoint } = facts;
  if (!kubernetesCa?.key) {
    throw new Error("the machine configuration has no key of the cluster CA");
  }
  const now = Date.now();
  const client = await issueCertificate(kubernetesCa, {
    commonName: "admin",
    organizations: ["system:masters"],
    usages: ["clientAuth"],
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + facts.adminCertificateMs),
    keyType: "p256",
  });
  const user = `admin@${clusterName}`;
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: clusterName,
          cluster: {
            server: endpoint,
            "certificate-authority-data": joinCertificates(kubernetesAcceptedCas),
          },
        },
      ],
      users: [
        {
          name: user,
          user: { "client-certificate-data": client.crt, "client-key-data": client.key },
        },
      ],
      contexts: [{ context: { cluster: clusterName, namespace: "default", user }, name: user }],
      "current-context": user,
    },
    { indentSeq: false, lineWidth: 0 },
  );
}
