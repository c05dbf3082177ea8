import type { Properties } from "./previewedResource";

/** The mapping at a key, if there is one. */
export function documentAt(properties: Properties, key: string): Properties | undefined {
  const value = properties[key];
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Properties)
    : undefined;
}
