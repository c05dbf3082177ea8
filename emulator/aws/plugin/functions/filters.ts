import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";

/** The property `filters` of functions that look things up in EC2. */
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
