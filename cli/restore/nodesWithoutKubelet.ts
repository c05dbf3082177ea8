import { readKubernetes } from "../status/readKubernetes";

/** The time limit of the Kubernetes API. */
const TIMEOUT_MS = 10_000;

/**
 * Names of the nodes from the snapshot for which no kubelet reports; undefined if Kubernetes
 * doesn't answer.
 *
 * @param addresses of control plane machines
 */
export async function nodesWithoutKubelet(
  kubeconfig: string,
  addresses: readonly string[],
): Promise<readonly string[] | undefined> {
  const { nodes, problems } = await readKubernetes(kubeconfig, addresses, TIMEOUT_MS);
  return problems.length > 0
    ? undefined
    : nodes.filter(({ isReady }) => !isReady).map(({ name }) => name);
}
