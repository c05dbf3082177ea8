import { clock } from "../../base/clock";
import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { OBJECTS_MANAGER } from "../../kubernetes/inventory";
import { describeObject } from "../../kubernetes/kubernetesObject";
import { appliedDigest, otherManagers } from "../../kubernetes/ownedFields";
import { ClusterObjects, type ClusterWork } from "./clusterObjects";
import { isBeingDeleted } from "./findLasting";
import { readInventory } from "./manifestInventory";
import type { AppliedObjects } from "./syncObjects";

type Applied = Pick<AppliedObjects, "digests"> & {
  readonly listed?: AppliedObjects["listed"] | undefined;
};

/** How long a refresh looks for the objects. */
const LOOK_MS = 60_000;

/**
 * The objects that others have changed or deleted, each with what happened: `changed by kubectl-edit`.
 * Undefined, with a warning, if the cluster can't be asked.
 *
 * @param applied what `syncObjects` returned; a state of an earlier release has no `listed`
 */
export async function findObjectDrift(
  work: Omit<ClusterWork, "deadline">,
  owner: string,
  applied: Applied,
): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    return await look(
      new ClusterObjects({ ...work, deadline: clock.now() + LOOK_MS }),
      owner,
      applied,
    );
  } catch (error) {
    warnOfSilence(work.progress, error);
    return undefined;
  }
}

async function look(
  cluster: ClusterObjects,
  owner: string,
  { digests, listed }: Applied,
): Promise<Readonly<Record<string, string>>> {
  const { objects } = await readInventory(cluster, owner, listed);
  const missing = new Set(Object.keys(digests));
  const changed: Record<string, string> = {};
  for (const { group, kind, namespace, name } of objects) {
    const place = { name, ...(namespace !== "" && { namespace }) };
    const resource = await cluster.resourceOfKind(group, kind);
    const object = resource && (await cluster.find(resource, place));
    const described = describeObject({ kind, metadata: place });
    const { [described]: digest } = digests;
    if (object === undefined || digest === undefined || isBeingDeleted(object)) {
      continue;
    }
    missing.delete(described);
    if (appliedDigest(object, OBJECTS_MANAGER) !== digest) {
      const others = otherManagers(object, OBJECTS_MANAGER);
      changed[described] = `changed by ${others.length === 0 ? "others" : others.join(", ")}`;
    }
  }
  const deleted = [...missing].map((name) => [name, "deleted by others"] as const);
  // A manifest may leave out the namespace.
  return Object.fromEntries(
    [...Object.entries(changed), ...deleted].flatMap(([name, what]) => [
      [name, what],
      [name.replace(" default/", " "), what],
    ]),
  );
}

function warnOfSilence({ warn }: Progress, error: unknown): void {
  warn(
    `whether others have changed the objects is unknown: ${messageOfError(error)}. The state keeps what was applied last`,
  );
}
