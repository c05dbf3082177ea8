import { connect } from "node:tls";
import { isIP } from "node:net";
import { KubernetesApi, KubernetesApiError } from "../../provider/kubernetes/kubernetesApi";
import { CORDONED_ANNOTATION } from "../../provider/lifecycle/kubernetesNode";
import { serverOfKubeconfig } from "./serverOfKubeconfig";

/** A node of Kubernetes. */
export interface KubernetesNode {
  readonly name: string;
  readonly isReady: boolean;
  /** For example `v1.35.0`. */
  readonly kubeletVersion: string;
  readonly internalAddresses: readonly string[];
  /** Takes no new pods. */
  readonly isCordoned: boolean;
  /** What a drain of ours keeps pods off it for. */
  readonly cordonedFor: string | undefined;
  /** The availability zone; undefined where no cloud controller has told of it. */
  readonly zone: string | undefined;
  /** The EC2 instance; undefined where no cloud controller has told of it. */
  readonly instanceId: string | undefined;
}

/** What the Kubernetes API says. */
export interface KubernetesAnswer {
  readonly nodes: readonly KubernetesNode[];
  /** Until when the API server's certificate is valid. */
  readonly serverNotAfter: Date | undefined;
  readonly problems: readonly string[];
}

interface NodeList {
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec?: { readonly providerID?: string; readonly unschedulable?: boolean };
    readonly status?: {
      readonly nodeInfo?: { readonly kubeletVersion?: string };
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
      readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    };
  }[];
}

/** Where the machines serve the API. */
const API_SERVER_PORT = 6443;

/**
 * Asks the Kubernetes API for its nodes: by the server's name, and where that can't be reached at
 * the machines' addresses. Nothing is thrown.
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
  const places = [
    { address: host, port },
    ...addresses.map((address) => ({ address, port: API_SERVER_PORT })),
  ];
  let first: string | undefined;
  for (const place of places) {
    try {
      const body = await api.get("/api/v1/nodes", { ...place, timeoutMs });
      const serverNotAfter = await serverExpiry({ ...place, serverName: host }, timeoutMs);
      return { nodes: readNodes(JSON.parse(body) as NodeList), serverNotAfter, problems: [] };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      first ??= `the Kubernetes API doesn't answer at ${place.address}: ${message}`;
      if (error instanceof KubernetesApiError) {
        return { nodes: [], serverNotAfter: undefined, problems: [message] };
      }
    }
  }
  return { nodes: [], serverNotAfter: undefined, problems: first === undefined ? [] : [first] };
}

function readNodes({ items }: NodeList): readonly KubernetesNode[] {
  return items.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    isReady:
      status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
    kubeletVersion: status?.nodeInfo?.kubeletVersion ?? "",
    internalAddresses: (status?.addresses ?? [])
      .filter(({ type }) => type === "InternalIP")
      .map(({ address }) => address),
    isCordoned: spec?.unschedulable === true,
    cordonedFor: metadata.annotations?.[CORDONED_ANNOTATION],
    zone: metadata.labels?.["topology.kubernetes.io/zone"],
    // As in aws:///us-east-1a/i-0123456789abcdef0.
    instanceId: /^aws:.*\/(i-[0-9a-f]+)$/.exec(spec?.providerID ?? "")?.[1],
  }));
}

/** Until when a server's certificate is valid, also when it isn't any more: nothing is sent there. */
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
