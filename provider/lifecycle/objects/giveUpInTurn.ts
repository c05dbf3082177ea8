import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { ObjectReference } from "../../kubernetes/inventory";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import type { ClusterObjects } from "./clusterObjects";
import { type GivingUp, giveUpObjects } from "./giveUpObjects";

/** How objects of a list are given up, in their order. */
export interface GivingUpInTurn extends GivingUp {
  /** Whether it waits until what it deletes is gone. */
  readonly awaitsDeletions: boolean;
}

/**
 * Gives up objects of a list: first those of kinds that the list defines, whose controller may have to do something for
 * their end, then the others, then definitions, then namespaces.
 *
 * @param gone what leaves the list
 * @param listed all of the list before
 * @throws WaitTimeoutError that names what isn't gone at the deadline; nothing of the next turn is deleted then
 */
export async function giveUpInTurn(
  cluster: ClusterObjects,
  gone: readonly ObjectReference[],
  listed: readonly ObjectReference[],
  giving: GivingUpInTurn,
): Promise<void> {
  const groups = listed.filter(isDefinition).map(({ name }) => name.slice(name.indexOf(".") + 1));
  const isDefined = ({ group }: ObjectReference) => groups.includes(group);
  const turns = [gone.filter(isDefined), inDeleteOrder(gone.filter((each) => !isDefined(each)))];
  for (const turn of turns) {
    const deleted = await giveUpObjects(cluster, turn, giving);
    if (giving.awaitsDeletions) {
      await awaitGone(cluster, deleted, giving);
    }
  }
}

/** The order in which objects are deleted: those that others need last. */
function inDeleteOrder(references: readonly ObjectReference[]): readonly ObjectReference[] {
  const rank = ({ kind }: ObjectReference) =>
    kind === "Namespace" ? 2 : kind === "CustomResourceDefinition" ? 1 : 0;
  return [...references].sort((one, other) => rank(one) - rank(other));
}

function isDefinition({ kind }: ObjectReference): boolean {
  return kind === "CustomResourceDefinition";
}

/** Waits for the finalizers of what is deleted. */
async function awaitGone(
  cluster: ClusterObjects,
  deleted: readonly KubernetesObject[],
  { deadline, progress }: GivingUp,
): Promise<void> {
  if (deleted.length === 0) {
    return;
  }
  await waitFor<undefined>({
    what: `the end of ${deleted.map(describeObject).join(", ")}`,
    deadlineMs: deadline - clock.now(),
    report: progress.report,
    probe: async () => {
      const left: string[] = [];
      for (const object of deleted) {
        const resource = await cluster.resourceOf(object);
        const now = resource && (await cluster.find(resource, object.metadata));
        if (now !== undefined && now.metadata.uid === object.metadata.uid) {
          left.push(describeLeft(now));
        }
      }
      return left.length === 0
        ? { done: true, value: undefined }
        : { done: false, status: left.join("; ") };
    },
  });
}

function describeLeft(object: KubernetesObject): string {
  const { finalizers } = object.metadata as { readonly finalizers?: readonly string[] };
  const why = finalizers === undefined ? "" : `, and waits for ${finalizers.join(", ")}`;
  return `${describeObject(object)} is still there${why}`;
}
