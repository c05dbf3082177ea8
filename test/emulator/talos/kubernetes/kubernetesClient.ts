import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { issueCertificate } from "../../../../provider/pki/issueCertificate";
import { fromBase64, nodeKey } from "../../../../provider/pki/pem";
import type { SimulatedCluster } from "../simulatedCluster";

/** An administrator's client of one Kubernetes API server. Rejects while its port is closed. */
export interface KubernetesClient {
  /** Resolves with an object. */
  get(path: string): Promise<unknown>;
  /** Resolves when a watch has been answered; it ends when the server does. */
  connect(): Promise<{ readonly ended: Promise<void> }>;
}

/** A client of a node's own Kubernetes API server. */
export async function kubernetesClient(
  cluster: SimulatedCluster,
  { address }: { readonly address: string },
): Promise<KubernetesClient> {
  const { k8s } = cluster.secrets.certs;
  const admin = await issueCertificate(k8s, {
    commonName: "admin",
    organizations: ["system:masters"],
    usages: ["clientAuth"],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keyType: "p256",
  });
  const options = {
    host: address,
    port: 6443,
    ca: fromBase64(k8s.crt),
    cert: fromBase64(admin.crt),
    key: nodeKey(admin.key),
    agent: false as const,
  };
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ ...options, path }, resolve)
        .on("error", reject)
        .end();
    });
  return {
    get: async (path) => {
      const chunks: Buffer[] = [];
      for await (const chunk of await ask(path)) {
        chunks.push(chunk as Buffer);
      }
      return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
    },
    connect: async () => {
      const response = await ask("/api/v1/nodes?watch=true");
      response.resume().on("error", () => undefined);
      return { ended: new Promise((resolve) => response.on("close", resolve)) };
    },
  };
}
