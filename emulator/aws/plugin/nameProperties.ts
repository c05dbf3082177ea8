import type { PropertyTable } from "./propertyTable";
import type { ValueRule } from "./valueRules";

/**
 * The properties for a resource's name: a whole one, or the beginning of one that the provider completes.
 *
 * @param name the provider's rule of the whole name
 * @param prefix its rule of the beginning
 */
export function nameProperties(name: ValueRule, prefix: ValueRule): PropertyTable {
  const chosen = { type: "string", computed: true, replaces: true } as const;
  return {
    name: { ...chosen, rule: name },
    namePrefix: { ...chosen, conflictsWith: ["name"], rule: prefix },
  };
}
