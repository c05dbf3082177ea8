import { request } from "node:https";
import { parse } from "yaml";

/** The parts of a kubeconfig that this project reads. */
interface Kubeconfig {
  clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
  users: { user: { "client-certificate-data": string; "client-key-data": string } }[];
}

/** The host name in the URL of a kubeconfig's server. */
export function serverHost(kubeconfig: string): string {
  return new URL(accessOf(kubeconfig).server).hostname;
}

/**
 * Asks the Kubernetes API at an address with the credentials of a kubeconfig.
 *
 * @throws Error when there is no answer within `timeoutMs`, or another one than 200
 */
export function getFromKubernetes(
  kubeconfig: string,
  address: string,
  path: string,
  timeoutMs: number,
): Promise<unknown> {
  const { server, ca, cert, key } = accessOf(kubeconfig);
  const { hostname, port } = new URL(server);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: address,
        port: port || 443,
        path,
        servername: hostname,
        ca,
        cert,
        key,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: "application/json" },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) {
            resolve(JSON.parse(text));
          } else {
            reject(new Error(`the Kubernetes API answered ${response.statusCode ?? "nothing"}`));
          }
        });
      },
    );
    call.once("error", reject);
    call.end();
  });
}

function accessOf(kubeconfig: string) {
  const { clusters, users } = parse(kubeconfig) as Kubeconfig;
  const cluster = clusters[0]?.cluster;
  const user = users[0]?.user;
  if (!cluster || !user) {
    throw new Error("the kubeconfig names no cluster or no user");
  }
  const decode = (text: string) => Buffer.from(text, "base64");
  return {
    server: cluster.server,
    ca: decode(cluster["certificate-authority-data"]),
    cert: decode(user["client-certificate-data"]),
    key: decode(user["client-key-data"]),
  };
}
