import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";

/** The property `filters` of functions that search EC2. */
export const filtersProperty: Property = {
  type: "blocks",
  fields: {
    name: { type: "string", required: true },
    values: { type: "strings", required: true },
  },
};

/** Filters in EC2's form. */
export function toFilters(inputs: Inputs): { Name: string; Values: string[] }[] {
  return inputs.blocks("filters").map((filter) => ({
    Name: filter.requiredString("name"),
    Values: filter.strings("values") ?? [],
  }));
}

/**
 * The single result of a search.
 *
 * @throws Error with the AWS provider's message if there is none, or several.
 */
export function theOnly<Found>(title: string, found: readonly Found[] | undefined): Found {
  const [first, ...others] = found ?? [];
  if (first === undefined) {
    throw new Error(`no matching ${title} found`);
  }
  if (others.length > 0) {
    throw new Error(
      `multiple ${title}s matched; use additional constraints to reduce matches to a single ${title}`,
    );
  }
  return first;
}
