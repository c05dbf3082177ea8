import { isIP } from "node:net";
import { connect } from "node:tls";
import { parse } from "yaml";
import { messageOfError } from "../../provider/base/messageOfError";
import { KubernetesApi, KubernetesApiError } from "../../provider/kubernetes/kubernetesApi";
import { parseAnswer } from "../../provider/kubernetes/parseAnswer";
import { CONTROL_PLANE_LABEL, CORDONED_ANNOTATION } from "../../provider/lifecycle/kubernetesNode";

/** A Kubernetes node. */
export interface KubernetesNode {
  readonly name: string;
  readonly isReady: boolean;
  /** Its condition `Ready`, and when that became what it is. Undefined before its kubelet's first report. */
  readonly ready: { readonly status: string; readonly since: Date } | undefined;
  /** Its labels and annotations. */
  readonly marks: Readonly<Record<string, string>>;
  /** For example `v1.35.0`. */
  readonly kubeletVersion: string;
  /** Its addresses inside the network. */
  readonly addresses: readonly string[];
  readonly isControlPlane: boolean;
  /** Whether it accepts no new pods. */
  readonly isCordoned: boolean;
  /** Why a drain of this package cordoned it. */
  readonly cordonedFor: string | undefined;
  /** The availability zone; undefined without a cloud controller. */
  readonly zone: string | undefined;
  /** The EC2 instance; undefined without a cloud controller. */
  readonly instanceId: string | undefined;
}

/** The answer of the Kubernetes API. */
export interface KubernetesAnswer {
  readonly nodes: readonly KubernetesNode[];
  /** The end of the API server certificate's validity. */
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
      readonly conditions?: readonly {
        readonly type: string;
        readonly status: string;
        readonly lastTransitionTime?: string;
      }[];
      readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    };
  }[];
}

/** The port of the API on the machines. */
const API_SERVER_PORT = 6443;

/**
 * Asks the Kubernetes API for its nodes: by the server's name, or at the machines' addresses if
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
  const places = [
    { address: host, port },
    ...addresses.map((address) => ({ address, port: API_SERVER_PORT })),
  ];
  let first: string | undefined;
  for (const place of places) {
    try {
      const body = await api.get("/api/v1/nodes", { ...place, timeoutMs });
      const serverNotAfter = await serverExpiry({ ...place, serverName: host }, timeoutMs);
      return { nodes: readNodes(parseAnswer(body) as NodeList), serverNotAfter, problems: [] };
    } catch (error) {
      const message = messageOfError(error);
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
    ...readReadiness(status?.conditions?.find(({ type }) => type === "Ready")),
    marks: { ...metadata.labels, ...metadata.annotations },
    kubeletVersion: status?.nodeInfo?.kubeletVersion ?? "",
    addresses: (status?.addresses ?? [])
      .filter(({ type }) => type === "InternalIP")
      .map(({ address }) => address),
    isControlPlane: metadata.labels?.[CONTROL_PLANE_LABEL] !== undefined,
    isCordoned: spec?.unschedulable === true,
    cordonedFor: metadata.annotations?.[CORDONED_ANNOTATION],
    zone: metadata.labels?.["topology.kubernetes.io/zone"],
    // For example aws:///us-east-1a/i-0123456789abcdef0.
    instanceId: /^aws:.*\/(i-[0-9a-f]+)$/.exec(spec?.providerID ?? "")?.[1],
  }));
}

function readReadiness(
  condition: { readonly status: string; readonly lastTransitionTime?: string } | undefined,
): Pick<KubernetesNode, "isReady" | "ready"> {
  const { status, lastTransitionTime: since } = condition ?? {};
  return {
    isReady: status === "True",
    ready:
      status === undefined || since === undefined ? undefined : { status, since: new Date(since) },
  };
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

/** Host and port of a kubeconfig's server. */
function serverOfKubeconfig(kubeconfig: string): { host: string; port: number } {
  const { clusters } = parse(kubeconfig) as {
    readonly clusters?: readonly { readonly cluster?: { readonly server?: string } }[];
  };
  const { hostname, port } = new URL(clusters?.[0]?.cluster?.server ?? "");
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 443 : Number(port) };
}
