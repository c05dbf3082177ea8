import { readKubernetes } from "../status/readKubernetes";

/** How long the Kubernetes API may take to answer. */
const TIMEOUT_MS = 10_000;

/**
 * Names of the nodes that Kubernetes knows from the snapshot and that no kubelet speaks for; undefined
 * where it can't be asked.
 *
 * @param addresses of control plane machines
 */
export async function strayNodes(
  kubeconfig: string,
  addresses: readonly string[],
): Promise<readonly string[] | undefined> {
  const { nodes, problems } = await readKubernetes(kubeconfig, addresses, TIMEOUT_MS);
  return problems.length > 0
    ? undefined
    : nodes.filter(({ isReady }) => !isReady).map(({ name }) => name);
}
