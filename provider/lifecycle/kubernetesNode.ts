import { messageOfError } from "../base/messageOfError";
import type { Progress } from "../base/progress";
import { KubernetesApiError } from "../kubernetes/kubernetesApi";
import { type KubernetesAccess, waitForKubernetes } from "./kubernetesAccess";
import type { Machine } from "./machine";

/** A Kubernetes node. Source: Kubernetes, `core/v1.Node`. */
export interface Node {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>> | null;
    readonly annotations?: Readonly<Record<string, string>> | null;
  };
  readonly spec?: {
    readonly unschedulable?: boolean;
    /** Set by the cloud controller: `aws:///<zone>/<instance id>`. */
    readonly providerID?: string;
  };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** How to find a machine's node. */
export interface NodeRequest {
  /** The machine's address inside the network, by which its node is found. */
  readonly privateAddress: string;
  /** Machines to ask for access to Kubernetes, one after another. */
  readonly controlPlanes: readonly Machine[];
  readonly progress: Progress;
}

/**
 * The annotation of nodes that this package cordoned, with the reason. A node that a person
 * cordoned has none.
 */
export const CORDONED_ANNOTATION = "pulumi-talos-aws/cordoned";

/** The label of control plane nodes, which Talos sets. */
export const CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane";

/** The default reason of a drain: a change of its machine over the Talos API. */
export const DRAINED_FOR_CHANGE = "change";

const MERGE_PATCH = "application/merge-patch+json";
const NOT_FOUND = 404;

/** How long uncordoning may take: the only API server may just have restarted. */
const UNCORDON_TIMEOUT_MS = 120_000;

/** How long it may take while no API server runs at all, as the machines report: nothing brings one back soon. */
const UNCORDON_DOWN_MS = 20_000;

/** Every node of a cluster. */
export async function listNodes(
  access: KubernetesAccess,
  signal: AbortSignal,
): Promise<readonly Node[]> {
  return (await access.read<{ readonly items: readonly Node[] }>("/api/v1/nodes", signal)).items;
}

/** The node of a machine. Undefined where Kubernetes has none. */
export async function findNode(
  access: KubernetesAccess,
  privateAddress: string,
  signal: AbortSignal,
): Promise<Node | undefined> {
  const nodes = await listNodes(access, signal);
  return nodes.find((node) => addressesOf(node).includes(privateAddress));
}

/** The node of this name. Undefined where Kubernetes has none. */
export async function readNode(
  access: KubernetesAccess,
  name: string,
  signal: AbortSignal,
): Promise<Node | undefined> {
  try {
    return await access.read<Node>(`/api/v1/nodes/${name}`, signal);
  } catch (error) {
    if (error instanceof KubernetesApiError && error.status === NOT_FOUND) {
      return undefined;
    }
    throw error;
  }
}

/** Its addresses for other machines. */
export function addressesOf({ status }: Node): readonly string[] {
  return (status?.addresses ?? []).flatMap(({ type, address }) =>
    type === "InternalIP" ? [address] : [],
  );
}

/** Whether its kubelet last reported ready. */
export function isReady({ status }: Node): boolean {
  return (
    status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false
  );
}

/** Cordons a node. A node that was already cordoned keeps that, because someone else did it. */
export async function cordonNode(
  access: KubernetesAccess,
  node: Node,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  if (node.spec?.unschedulable !== true) {
    const annotations = { [CORDONED_ANNOTATION]: reason };
    await patchNode(
      access,
      node,
      { metadata: { annotations }, spec: { unschedulable: true } },
      signal,
    );
  }
}

/**
 * Uncordons a node that this package cordoned. If Kubernetes doesn't answer within two minutes, or
 * no API server runs for 20 s, it warns with the command to run.
 */
export async function uncordonNode(request: NodeRequest): Promise<void> {
  const { privateAddress, controlPlanes, progress } = request;
  try {
    await waitForKubernetes({
      what: `the node of machine ${privateAddress} to be uncordoned`,
      deadlineMs: UNCORDON_TIMEOUT_MS,
      downMs: UNCORDON_DOWN_MS,
      controlPlanes,
      progress,
      look: async (access, signal) => {
        const node = await findNode(access, privateAddress, signal);
        if (node?.metadata.annotations?.[CORDONED_ANNOTATION] !== undefined) {
          await letPodsIn(access, node, signal);
        }
        return { done: true, value: undefined };
      },
    });
  } catch (error) {
    const reason = messageOfError(error);
    progress.warn(
      `the node of machine ${privateAddress} may still be cordoned: ${reason}. Uncordon it with "kubectl uncordon"`,
    );
  }
}

/** Reverts `cordonNode`. */
export async function letPodsIn(
  access: KubernetesAccess,
  node: Node,
  signal: AbortSignal,
): Promise<void> {
  const annotations = { [CORDONED_ANNOTATION]: null };
  const body = { metadata: { annotations }, spec: { unschedulable: null } };
  await patchNode(access, node, body, signal);
}

/** Sets an annotation of a node. */
export async function annotateNode(
  access: KubernetesAccess,
  node: Node,
  annotations: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  await patchNode(access, node, { metadata: { annotations } }, signal);
}

/** Deletes a node from Kubernetes, and with it the pods that Kubernetes still counts there. */
export async function deleteNode(
  access: KubernetesAccess,
  { metadata }: Node,
  signal: AbortSignal,
): Promise<void> {
  try {
    await access.send({ method: "DELETE", path: `/api/v1/nodes/${metadata.name}` }, signal);
  } catch (error) {
    if (!(error instanceof KubernetesApiError && error.status === NOT_FOUND)) {
      throw error;
    }
  }
}

async function patchNode(
  access: KubernetesAccess,
  { metadata }: Node,
  body: object,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/nodes/${metadata.name}`;
  await access.send({ method: "PATCH", path, body, contentType: MERGE_PATCH }, signal);
}
