import { KubernetesApi, type KubernetesNode } from "../../provider/kubernetes";
import { KubernetesAccess, listNodes } from "../../provider/lifecycle";

/** So long Kubernetes may take where nothing but nodes that linger comes of its silence. */
const TIMEOUT_MS = 15_000;

/** How to ask Kubernetes whether machines are ready. */
export interface NodeObserver {
  /** `ClusterKubeconfig.kubeconfig`. Secret. */
  readonly kubeconfig: string;
  /** Address of a control plane's Talos API; its API server answers there too. */
  readonly endpoint: string;
}

/**
 * The Kubernetes that an observer asks.
 *
 * @throws Error if the kubeconfig lacks a part
 */
export function accessOf(observer: NodeObserver): KubernetesAccess {
  return new KubernetesAccess(new KubernetesApi(observer.kubeconfig), observer);
}

/**
 * Asks Kubernetes for its nodes at each call.
 *
 * @returns undefined if there is no Kubernetes to ask
 */
export function nodesSeenBy(
  observer: NodeObserver | undefined,
): ((signal: AbortSignal) => Promise<readonly KubernetesNode[]>) | undefined {
  if (observer === undefined) {
    return undefined;
  }
  const access = accessOf(observer);
  return (signal) => listNodes(access, signal);
}

/**
 * Does something with Kubernetes' nodes that later updates can do too. Nothing is done where Kubernetes
 * or AWS can't be asked.
 */
export async function withNodes(
  observer: NodeObserver | undefined,
  act: (
    nodes: readonly KubernetesNode[],
    access: KubernetesAccess,
    signal: AbortSignal,
  ) => Promise<void>,
): Promise<void> {
  if (observer === undefined) {
    return;
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const access = accessOf(observer);
    await act(await listNodes(access, signal), access, signal);
  } catch {
    // The next update tries it again.
  }
}
