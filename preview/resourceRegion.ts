import type { PreviewedResource } from "./previewedResource";

/** The side of a change that a region is asked for. */
export type Side = "oldInputs" | "newInputs";

/** The region of a resource; undefined as long as it isn't known. */
export type FindRegion = (resource: PreviewedResource, side: Side) => string | undefined;

/**
 * Finds the regions of resources. The AWS plugin says that of most, in a preview, too (Terraform's AWS provider v6.0,
 * `internal/provider/sdkv2/region.go`). A component, and a resource of no region, is where everything beside it is.
 */
export function regionFinder(resources: readonly PreviewedResource[]): FindRegion {
  const parents = new Map(resources.map(({ urn, parent }) => [urn, parent]));
  const isBelow = ({ parent }: PreviewedResource, ancestor: string): boolean => {
    for (let each: string | undefined = parent; each !== undefined; each = parents.get(each)) {
      if (each === ancestor) {
        return true;
      }
    }
    return false;
  };
  const onlyRegion = (among: readonly PreviewedResource[], side: Side) => {
    const found = new Set(among.flatMap((each) => ownRegion(each, side) ?? []));
    return found.size === 1 ? [...found][0] : undefined;
  };
  return (resource, side) =>
    ownRegion(resource, side) ??
    onlyRegion(
      resources.filter((other) => isBelow(other, resource.parent)),
      side,
    ) ??
    onlyRegion(resources, side);
}

function ownRegion(resource: PreviewedResource, side: Side): string | undefined {
  const { oldInputs, oldOutputs, newInputs, newOutputs } = resource;
  const told =
    side === "oldInputs" ? [oldOutputs, oldInputs] : [newInputs, newOutputs, oldOutputs, oldInputs];
  return told.map(({ region }) => region).find(isRegion);
}

/** An unknown value is a text, too. */
function isRegion(value: unknown): value is string {
  return typeof value === "string" && /^[a-z]+(?:-[a-z]+)+-\d+$/.test(value);
}
