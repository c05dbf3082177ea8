import type { KubernetesApi } from "../kubernetes/kubernetesApi";
import { parseAnswer } from "../kubernetes/parseAnswer";
import { askKubernetes } from "./askKubernetes";
import type { Machine } from "./machine";

/** A node as the Kubernetes API reports it. */
export interface KubernetesNode {
  readonly name: string;
  /** Its addresses inside the network. */
  readonly addresses: readonly string[];
  /** Whether Kubernetes last heard from its kubelet that it is ready. */
  readonly isReady: boolean;
}

interface NodeList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status?: {
      readonly addresses?: readonly { readonly type: string; readonly address: string }[];
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  }[];
}

/**
 * Lists every node of a cluster.
 *
 * @param machine a control plane machine, whose API server is asked first
 * @throws KubernetesApiError if the server refuses
 * @throws Error if no server is reached
 */
export async function readNodes(
  api: KubernetesApi,
  machine: Pick<Machine, "endpoint">,
  signal: AbortSignal,
): Promise<KubernetesNode[]> {
  const { items } = parseAnswer(
    await askKubernetes(api, machine, "/api/v1/nodes", signal),
  ) as NodeList;
  return items.map(({ metadata, status }) => ({
    name: metadata.name,
    addresses: (status?.addresses ?? [])
      .filter(({ type }) => type === "InternalIP")
      .map(({ address }) => address),
    isReady:
      status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
  }));
}
