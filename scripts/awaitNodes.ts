import { waitFor } from "../provider/api/waitFor";
import { KubernetesApi } from "../provider/kubernetes/kubernetesApi";
import { readNodes } from "../provider/kubernetes/node";

/** A Kubernetes node as `kubectl get nodes` would show it. */
export interface ReadyNode {
  readonly name: string;
  readonly version: string;
}

/**
 * Waits until Kubernetes lists so many nodes, all of them Ready.
 *
 * @param address where the Kubernetes API is reached; its certificate is checked for its name
 * @throws WaitTimeoutError after `deadlineMs`
 */
export function awaitNodes(options: {
  readonly kubeconfig: string;
  readonly address: string;
  readonly count: number;
  readonly deadlineMs: number;
  readonly report: (line: string) => void;
}): Promise<ReadyNode[]> {
  const { kubeconfig, address, count } = options;
  const api = new KubernetesApi(kubeconfig);
  return waitFor<ReadyNode[]>({
    what: `${count} Kubernetes nodes to be Ready`,
    deadlineMs: options.deadlineMs,
    intervalMs: 250,
    report: options.report,
    // Until the API server is up, every error is one of a cluster that starts.
    isFatal: () => false,
    probe: async ({ remainingMs }) => {
      const timeoutMs = Math.min(remainingMs, 5_000);
      const nodes = await readNodes((path) => api.get(path, { address, timeoutMs }));
      const ready = nodes.filter(({ isReady }) => isReady);
      return nodes.length === count && ready.length === count
        ? {
            done: true,
            value: ready.map(({ name, kubeletVersion: version }) => ({ name, version })),
          }
        : { done: false, status: `${nodes.length} listed, ${ready.length} Ready` };
    },
  });
}
