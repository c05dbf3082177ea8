import { annotateNode, deleteNode } from "../../provider/lifecycle";
import { type NodeObserver, withNodes } from "./nodeObserver";
import type { PoolMachine } from "./poolMachines";

/** On nodes of machines that AWS is to replace, with the id of their launch template. */
const REPLACED_ANNOTATION = "pulumi-talos-aws/replaced";

/** A filter of EC2's takes 200 values, and a node may have two addresses. The next update sees to the others. */
const MOST_AT_ONCE = 100;

/**
 * Notes in Kubernetes which nodes of a pool go, before AWS is told to replace their machines. It outlives this
 * run: who looks later, or not before a machine has ended, still knows whose node that was.
 */
export async function markReplaced(
  observer: NodeObserver | undefined,
  templateId: string,
  old: readonly PoolMachine[],
): Promise<void> {
  await withNodes(observer, async (nodes, access, signal) => {
    const addresses = new Set(old.map(({ privateAddress }) => privateAddress));
    const leaving = nodes.filter((node) => node.addresses.some((each) => addresses.has(each)));
    const annotations = { [REPLACED_ANNOTATION]: templateId };
    await Promise.all(leaving.map((node) => annotateNode(access, node, annotations, signal)));
  });
}

/**
 * Removes nodes from Kubernetes that were noted and whose machines are gone, where no cloud controller has. They
 * would stay, not ready, and hold up the rollout of every DaemonSet.
 *
 * @param livingAt tells which of some addresses living machines have: AWS gives them again, to any machine
 */
export async function removeReplaced(
  observer: NodeObserver | undefined,
  templateId: string,
  livingAt: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  await withNodes(observer, async (nodes, access, signal) => {
    const noted = nodes
      .filter(({ annotations }) => annotations[REPLACED_ANNOTATION] === templateId)
      .slice(0, MOST_AT_ONCE);
    if (noted.length === 0) {
      return;
    }
    const alive = await livingAt(noted.flatMap(({ addresses }) => addresses));
    const gone = noted.filter(({ addresses }) => !addresses.some((each) => alive.has(each)));
    await Promise.all(gone.map((node) => deleteNode(access, node, signal)));
  });
}
