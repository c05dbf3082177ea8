import { waitFor } from "../provider/api/waitFor";
import { getFromKubernetes } from "./kubeconfigAccess";

/** A Kubernetes node as `kubectl get nodes` would show it. */
export interface ReadyNode {
  readonly name: string;
  readonly version: string;
}

interface NodeList {
  items: {
    metadata: { name: string };
    status: {
      conditions: { type: string; status: string }[];
      nodeInfo: { kubeletVersion: string };
    };
  }[];
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
  return waitFor<ReadyNode[]>({
    what: `${count} Kubernetes nodes to be Ready`,
    deadlineMs: options.deadlineMs,
    intervalMs: 250,
    report: options.report,
    // Until the API server is up, every error is one of a cluster that starts.
    isFatal: () => false,
    probe: async ({ remainingMs }) => {
      const timeoutMs = Math.min(remainingMs, 5_000);
      const answer = await getFromKubernetes(kubeconfig, address, "/api/v1/nodes", timeoutMs);
      const nodes = (answer as NodeList).items.map(({ metadata, status }) => ({
        name: metadata.name,
        version: status.nodeInfo.kubeletVersion,
        ready: status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
      }));
      const ready = nodes.filter((node) => node.ready);
      return nodes.length === count && ready.length === count
        ? { done: true, value: ready.map(({ name, version }) => ({ name, version })) }
        : { done: false, status: `${nodes.length} listed, ${ready.length} Ready` };
    },
  });
}
