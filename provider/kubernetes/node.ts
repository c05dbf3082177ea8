import { parseAnswer } from "./parseAnswer";

/** A Kubernetes node. Source: Kubernetes, `core/v1.Node`. */
export interface KubernetesNode {
  readonly name: string;
  /** Its addresses inside the network; empty if a cloud controller has not set them yet. */
  readonly addresses: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isControlPlane: boolean;
  /** Whether its kubelet last reported ready. */
  readonly isReady: boolean;
  /** Its condition `Ready`, and since when it is so. Undefined before its kubelet's first report. */
  readonly ready: { readonly status: string; readonly since: Date } | undefined;
  /** Whether it accepts no new pods. */
  readonly isCordoned: boolean;
  /** For example `v1.35.0`. */
  readonly kubeletVersion: string;
  /** The availability zone; undefined without a cloud controller. */
  readonly zone: string | undefined;
  /** `aws:///<zone>/<instance id>`; undefined without a cloud controller. */
  readonly providerId: string | undefined;
}

/** A node as the API server answers it, as far as it is read. */
interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>> | null;
    readonly annotations?: Readonly<Record<string, string>> | null;
  };
  readonly spec?: { readonly providerID?: string; readonly unschedulable?: boolean };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly NodeCondition[];
    readonly nodeInfo?: { readonly kubeletVersion?: string };
  };
}

/** Source: Kubernetes, `core/v1.NodeCondition`. */
interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** Gets the body of the API server's answer at a path. */
export type GetBody = (path: string) => Promise<string>;

/** The label of control plane nodes, which Talos sets. */
const CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane";

const ZONE_LABEL = "topology.kubernetes.io/zone";

/** Where an API server has its nodes. */
const NODES_PATH = "/api/v1/nodes";

/** Where an API server has a node. */
export function nodePath(name: string): string {
  return `${NODES_PATH}/${name}`;
}

/**
 * Reads every node of a cluster.
 *
 * @throws what `get` throws
 */
export async function readNodes(get: GetBody): Promise<readonly KubernetesNode[]> {
  const { items } = parseAnswer(await get(NODES_PATH)) as { readonly items: readonly NodeObject[] };
  return items.map(nodeOfObject);
}

/**
 * Reads the node of a name.
 *
 * @throws what `get` throws, also where Kubernetes has no such node
 */
export async function readNode(get: GetBody, name: string): Promise<KubernetesNode> {
  return nodeOfObject(parseAnswer(await get(nodePath(name))) as NodeObject);
}

function nodeOfObject({ metadata, spec, status }: NodeObject): KubernetesNode {
  const labels = metadata.labels ?? {};
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return {
    name: metadata.name,
    addresses: (status?.addresses ?? []).flatMap(({ type, address }) =>
      type === "InternalIP" ? [address] : [],
    ),
    labels,
    annotations: metadata.annotations ?? {},
    isControlPlane: labels[CONTROL_PLANE_LABEL] !== undefined,
    isReady: ready?.status === "True",
    ready:
      ready?.lastTransitionTime === undefined
        ? undefined
        : { status: ready.status, since: new Date(ready.lastTransitionTime) },
    isCordoned: spec?.unschedulable === true,
    kubeletVersion: status?.nodeInfo?.kubeletVersion ?? "",
    zone: labels[ZONE_LABEL],
    providerId: spec?.providerID,
  };
}

/** The EC2 instance of a node; undefined without a cloud controller. */
export function instanceIdOf({ providerId = "" }: Pick<KubernetesNode, "providerId">) {
  return /^aws:.*\/(i-[0-9a-f]+)$/.exec(providerId)?.[1];
}
