import { nameOf, type WrittenResource } from "../repair/pendingOperations";

const INSTANCE = "aws:ec2/instance:Instance";

/**
 * Machines that a replacement which was interrupted has left to delete: their successors exist, and the next update
 * goes on.
 */
export function unfinishedReplacements(
  resources: readonly WrittenResource[],
): readonly WrittenResource[] {
  return resources.filter((each) => each.type === INSTANCE && each.delete === true);
}

/**
 * Names of resources that would change although no replacement of these machines asks for it. Empty: an update does
 * nothing else than the replacement.
 *
 * @param machines URNs of the machines that are being replaced
 */
export function strangeChanges(
  changed: ReadonlySet<string>,
  machines: readonly string[],
  resources: readonly WrittenResource[],
): readonly string[] {
  const known = withDependents(machines, resources);
  return [...changed].filter((urn) => !known.has(urn)).map(nameOf);
}

function withDependents(
  urns: readonly string[],
  resources: readonly WrittenResource[],
): ReadonlySet<string> {
  const found = new Set(urns);
  // The engine writes a resource after all that it depends on.
  for (const { urn, dependencies, parent } of resources) {
    const needs: readonly unknown[] = Array.isArray(dependencies) ? dependencies : [];
    if ([...needs, parent].some((need) => typeof need === "string" && found.has(need))) {
      found.add(urn);
    }
  }
  return found;
}
