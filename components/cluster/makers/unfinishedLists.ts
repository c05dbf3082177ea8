import * as pulumi from "@pulumi/pulumi";
import { areObjectsUnfinished } from "../../../provider/lifecycle";
import { logBeside } from "../../logBeside";
import { accessOf, type NodeObserver } from "../../workers/nodeObserver";

/** The lists of objects that a cluster may have, by their inventories. */
export const LISTS = ["cluster", "karpenter"] as const;

/** The inventory of a list. */
export type ListName = (typeof LISTS)[number];

/** So long Kubernetes may take: a later run asks again. */
const LOOK_MS = 15_000;

/**
 * Whether a run has left a list half applied.
 *
 * @param observer how to ask Kubernetes, once the control plane has its configuration
 * @returns undefined in a preview, which asks nothing
 */
export function isListUnfinished(
  list: ListName,
  observer: pulumi.Output<NodeObserver>,
): pulumi.Output<boolean> | undefined {
  return pulumi.runtime.isDryRun() ? undefined : observer.apply((seen) => look(list, seen));
}

/**
 * The lists that the program doesn't have, and that a run has left half applied. If that was the first create of the
 * list, and the run was killed, then no state has it.
 *
 * @param present what the program has
 * @returns undefined where there is nothing to ask
 */
export function abandonedLists(
  present: readonly ListName[],
  observer: pulumi.Output<NodeObserver>,
): pulumi.Output<string[]> | undefined {
  const absent = LISTS.filter((list) => !present.includes(list));
  if (absent.length === 0 || pulumi.runtime.isDryRun()) {
    return undefined;
  }
  return observer.apply(async (seen) => {
    const found = await Promise.all(
      absent.map(async (list) => ((await look(list, seen)) ? [list] : [])),
    );
    return found.flat();
  });
}

/** Warns of lists that no resource deletes. */
export function warnOfAbandoned(
  abandoned: pulumi.Output<string[]> | undefined,
  cluster: pulumi.Resource | undefined,
): void {
  if (cluster === undefined) {
    return;
  }
  abandoned?.apply((lists) => {
    for (const list of lists) {
      const line = `a run that didn't come to its end has applied objects which the program no longer has, and syncManifests is false: the ConfigMap kube-system/pulumi-talos-aws-objects-${list} names them. Delete them with kubectl, then that ConfigMap`;
      void logBeside(cluster, line, { severity: "warn" });
    }
  });
}

async function look(list: ListName, observer: NodeObserver): Promise<boolean> {
  try {
    return await areObjectsUnfinished(accessOf(observer), list, AbortSignal.timeout(LOOK_MS));
  } catch {
    return false;
  }
}
