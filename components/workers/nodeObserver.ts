import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { type KubernetesNode, readNodes } from "../../provider/lifecycle/readNodes";

/** Where Kubernetes is asked whether machines are ready. */
export interface NodeObserver {
  /** `ClusterKubeconfig.kubeconfig`. Secret. */
  readonly kubeconfig: string;
  /** Where the Talos API of a control plane is dialled; its API server answers there. */
  readonly endpoint: string;
}

/**
 * Asks Kubernetes for its nodes, as often as it is called.
 *
 * @returns undefined where there is nobody to ask
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
