import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { type KubernetesNode, nodePath, readNode, readNodes } from "../../kubernetes/node";
import type { Machine } from "../machine";
import { type KubernetesAccess, waitForKubernetes } from "./kubernetesAccess";

type NamedNode = Pick<KubernetesNode, "name">;

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

/** The default reason of a drain: a change of its machine over the Talos API. */
export const DRAINED_FOR_CHANGE = "change";

const MERGE_PATCH = "application/merge-patch+json";
const NOT_FOUND = 404;

/** How long uncordoning may take: the only API server may just have restarted. */
const UNCORDON_TIMEOUT_MS = 120_000;

/** How long it may take while no API server runs at all, as the machines report: nothing brings one back soon. */
const UNCORDON_DOWN_MS = 20_000;

/** Every node of a cluster. */
export function listNodes(
  access: KubernetesAccess,
  signal: AbortSignal,
): Promise<readonly KubernetesNode[]> {
  return readNodes((path) => access.send({ method: "GET", path }, signal));
}

/** The node of a machine. Undefined where Kubernetes has none. */
export async function findNode(
  access: KubernetesAccess,
  privateAddress: string,
  signal: AbortSignal,
): Promise<KubernetesNode | undefined> {
  const nodes = await listNodes(access, signal);
  return nodes.find(({ addresses }) => addresses.includes(privateAddress));
}

/** The node of this name. Undefined where Kubernetes has none. */
export async function findNodeByName(
  access: KubernetesAccess,
  name: string,
  signal: AbortSignal,
): Promise<KubernetesNode | undefined> {
  try {
    return await readNode((path) => access.send({ method: "GET", path }, signal), name);
  } catch (error) {
    if (error instanceof KubernetesApiError && error.status === NOT_FOUND) {
      return undefined;
    }
    throw error;
  }
}

/** Cordons a node. A node that was already cordoned keeps that, because someone else did it. */
export async function cordonNode(
  access: KubernetesAccess,
  node: Pick<KubernetesNode, "name" | "isCordoned">,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  if (!node.isCordoned) {
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
        if (node?.annotations[CORDONED_ANNOTATION] !== undefined) {
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
  node: NamedNode,
  signal: AbortSignal,
): Promise<void> {
  const annotations = { [CORDONED_ANNOTATION]: null };
  const body = { metadata: { annotations }, spec: { unschedulable: null } };
  await patchNode(access, node, body, signal);
}

/** Sets an annotation of a node. */
export async function annotateNode(
  access: KubernetesAccess,
  node: NamedNode,
  annotations: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  await patchNode(access, node, { metadata: { annotations } }, signal);
}

/** Deletes a node from Kubernetes, and with it the pods that Kubernetes still counts there. */
export async function deleteNode(
  access: KubernetesAccess,
  { name }: NamedNode,
  signal: AbortSignal,
): Promise<void> {
  try {
    await access.send({ method: "DELETE", path: nodePath(name) }, signal);
  } catch (error) {
    if (!(error instanceof KubernetesApiError && error.status === NOT_FOUND)) {
      throw error;
    }
  }
}

async function patchNode(
  access: KubernetesAccess,
  { name }: NamedNode,
  body: object,
  signal: AbortSignal,
): Promise<void> {
  const path = nodePath(name);
  await access.send({ method: "PATCH", path, body, contentType: MERGE_PATCH }, signal);
}
