import { dependents } from "../dependents";
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
  const known = dependents(resources, ({ urn }) => machines.includes(urn));
  return [...changed].filter((urn) => !known.has(urn)).map(nameOf);
}
