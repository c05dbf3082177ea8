import type { YamlValue } from "../../../provider/config";

/** The value at a path of keys; `undefined` if a key is missing or a parent is no map. */
export function valueAt(root: YamlValue | undefined, ...keys: string[]): YamlValue | undefined {
  let value: YamlValue | undefined = root;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return undefined;
    }
    value = value[key];
  }
  return value;
}

/** The text at a path. An empty text counts as absent, as in a machine configuration. */
export function textAt(root: YamlValue | undefined, ...keys: string[]): string | undefined {
  const value = valueAt(root, ...keys);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of the list at a path. Empty when there is no list. */
export function textsAt(root: YamlValue | undefined, ...keys: string[]): string[] {
  const value = valueAt(root, ...keys);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The map of texts at a path. Empty when there is no map. */
export function textMapAt(
  root: YamlValue | undefined,
  ...keys: string[]
): Readonly<Record<string, string>> {
  const value = valueAt(root, ...keys);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
