import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { type KubernetesNode, readNodes } from "../../provider/lifecycle/readNodes";

/** How to ask Kubernetes whether machines are ready. */
export interface NodeObserver {
  /** `ClusterKubeconfig.kubeconfig`. Secret. */
  readonly kubeconfig: string;
  /** Address of a control plane's Talos API; its API server answers there too. */
  readonly endpoint: string;
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
  const api = new KubernetesApi(observer.kubeconfig);
  return (signal) => readNodes(api, observer, signal);
}
