import { providerUrn, type WrittenResource } from "./repair/pendingOperations";

interface Dependent extends WrittenResource {
  readonly dependencies?: readonly string[] | null;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>> | null;
  readonly deletedWith?: string;
}

/**
 * The URNs of resources and of everything that depends on them, in the order of the state. Pure.
 *
 * @param isFirst selects those resources
 */
export function dependents(
  state: readonly WrittenResource[],
  isFirst: (resource: WrittenResource) => boolean,
): ReadonlySet<string> {
  const resources = state as readonly Dependent[];
  const found = new Set(resources.filter(isFirst).map(({ urn }) => urn));
  let before = -1;
  while (found.size > before) {
    before = found.size;
    for (const each of resources) {
      if (needs(each).some((urn) => found.has(urn))) {
        found.add(each.urn);
      }
    }
  }
  return found;
}

function needs({
  parent = "",
  provider = "",
  deletedWith = "",
  dependencies,
  propertyDependencies,
}: Dependent): readonly string[] {
  const ofProperties = Object.values(propertyDependencies ?? {}).flatMap((urns) => urns ?? []);
  return [parent, providerUrn(provider), deletedWith, ...(dependencies ?? []), ...ofProperties];
}
