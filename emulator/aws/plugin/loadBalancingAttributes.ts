import type { Inputs } from "./inputs";

/**
 * Attributes of something in load balancing, in AWS' form; those that nothing is said of are left out.
 *
 * @param keys AWS' key of each property that is an attribute
 * @param names the properties that are to be set
 */
export function loadBalancingAttributes(
  keys: Readonly<Record<string, string>>,
  inputs: Inputs,
  names: readonly string[],
): { readonly Key: string | undefined; readonly Value: string }[] {
  return names.flatMap((name) => {
    const value = inputs.values[name];
    return value === undefined || value === null
      ? []
      : [{ Key: keys[name], Value: typeof value === "object" ? "" : String(value) }];
  });
}
