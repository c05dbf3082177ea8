import { isIP } from "node:net";
import { connect } from "node:tls";
import { parse } from "yaml";
import { messageOfError } from "../../provider/base";
import {
  askInTurn,
  KubernetesApi,
  KubernetesApiError,
  type KubernetesNode,
  readNodes,
  serverAt,
} from "../../provider/kubernetes";
import { readUnfinishedLists } from "../../provider/lifecycle";
import { addressesOf, type ClusterAccess } from "./clusterAccess";

export interface KubernetesAnswer {
  readonly nodes: readonly KubernetesNode[];
  readonly serverNotAfter: Date | undefined;
  /** Lists of `KubernetesObjects` that a run has left half applied, by their inventories. */
  readonly unfinishedLists: readonly string[];
  readonly problems: readonly string[];
}

/** Asks the Kubernetes API of a cluster, as `readKubernetes` does; undefined without a kubeconfig. */
export async function askKubernetes(
  { kubeconfig, machines }: ClusterAccess,
  timeoutMs: number,
): Promise<KubernetesAnswer | undefined> {
  const controlPlane = machines.filter(({ role }) => role === "controlplane");
  const addresses = controlPlane.flatMap((machine) => addressesOf(machine).slice(0, 1));
  return kubeconfig === undefined ? undefined : readKubernetes(kubeconfig, addresses, timeoutMs);
}

/**
 * Asks the Kubernetes API for its nodes and for unfinished lists of objects: by the server's name, or at the machines' addresses if
 * that can't be reached. It never throws.
 *
 * @param addresses of control plane machines
 */
export async function readKubernetes(
  kubeconfig: string,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<KubernetesAnswer> {
  const api = new KubernetesApi(kubeconfig);
  const { host, port } = serverOfKubeconfig(kubeconfig);
  let first: string | undefined;
  try {
    return await askInTurn(
      [{ address: host, port }, ...addresses.map(serverAt)],
      async (place) => {
        const get = (path: string) => api.get(path, { ...place, timeoutMs });
        const nodes = await readNodes(get);
        const unfinishedLists = await readUnfinishedLists(get);
        const serverNotAfter = await serverExpiry({ ...place, serverName: host }, timeoutMs);
        return { nodes, unfinishedLists, serverNotAfter, problems: [] };
      },
      (error, { address }) => {
        first ??= `the Kubernetes API doesn't answer at ${address}: ${messageOfError(error)}`;
        return !(error instanceof KubernetesApiError);
      },
    );
  } catch (error) {
    const problem = error instanceof KubernetesApiError ? error.message : first;
    return {
      nodes: [],
      unfinishedLists: [],
      serverNotAfter: undefined,
      problems: problem === undefined ? [] : [problem],
    };
  }
}

/**
 * The end of a server certificate's validity, also if it has expired, because nothing is sent
 * there.
 */
function serverExpiry(
  { address, port, serverName }: { address: string; port: number; serverName: string },
  timeoutMs: number,
): Promise<Date | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      ...(isIP(serverName) === 0 && { servername: serverName }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    const end = (value: Date | undefined) => {
      socket.destroy();
      resolve(value);
    };
    socket.once("secureConnect", () => end(new Date(socket.getPeerCertificate().valid_to)));
    socket.once("timeout", () => end(undefined));
    socket.once("error", () => end(undefined));
  });
}

function serverOfKubeconfig(kubeconfig: string): { host: string; port: number } {
  const { clusters } = parse(kubeconfig) as {
    readonly clusters?: readonly { readonly cluster?: { readonly server?: string } }[];
  };
  const { hostname, port } = new URL(clusters?.[0]?.cluster?.server ?? "");
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 443 : Number(port) };
}
