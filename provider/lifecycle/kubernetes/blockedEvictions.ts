import { KubernetesAccess } from "./kubernetesAccess";
import { findNode, type NodeRequest } from "./kubernetesNode";
import { PodEvictions } from "./podEvictions";

/**
 * Why pods of a machine's node can't be evicted now: each is tried without being done. A node that isn't ready, or
 * isn't there, would not be drained.
 *
 * @returns the pods and their budgets, in a few words; undefined if each pod could go
 */
export async function blockedEvictions(
  { privateAddress, controlPlanes, progress }: NodeRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const access = await KubernetesAccess.open(controlPlanes, signal);
  const node = await findNode(access, privateAddress, signal);
  return node?.isReady === true
    ? new PodEvictions(progress.warn).blockedOn(access, node.name, signal)
    : undefined;
}
