import { type ConfigDocument, isMapping, type YamlValue } from "./machineConfig";

/** What an item of a list is called; undefined when it has no name. */
export type ItemNaming = (item: YamlValue) => string | undefined;

/** The fields that say what an item is, for lists for which Talos has no rule; the best first. */
const namingFields = [
  "name",
  "interface",
  "vlanId",
  "slot",
  "mountPath",
  "path",
  "destination",
  "device",
  "publicKey",
  "address",
  "network",
  "subnet",
  "ip",
  "url",
  "endpoint",
  "image",
  "mountpoint",
  "hostPath",
];

/**
 * How to tell the items of some lists apart: by the keys by which Talos merges them, else by a
 * field in which each has something of its own. Undefined when no field does for all the lists.
 *
 * @param mergeBy the keys by which Talos merges the items; empty when it appends them
 */
export function itemNaming(
  lists: readonly (readonly YamlValue[])[],
  mergeBy: readonly string[] = [],
): ItemNaming | undefined {
  if (!lists.every((items) => items.every(isMapping))) {
    return undefined;
  }
  const namings = [mergeBy, ...namingFields.map((field) => [field])].map(namingBy);
  return namings.find((naming) =>
    lists.every((items) => {
      const names = items.map(naming);
      return !names.includes(undefined) && new Set(names).size === names.length;
    }),
  );
}

/** Of several possible keys the first that an item has counts, as with Talos. */
function namingBy(keys: readonly string[]): ItemNaming {
  return (item) =>
    isMapping(item)
      ? keys.map((key) => nameOf(item, key)).find((name) => name !== undefined)
      : undefined;
}

function nameOf(item: ConfigDocument, key: string): string | undefined {
  const value = Object.hasOwn(item, key) ? item[key] : undefined;
  if (isMapping(value)) {
    const parts = Object.entries(value).map(([part, child]) => `${part}=${JSON.stringify(child)}`);
    return parts.length === 0 ? undefined : parts.sort().join(",");
  }
  return (typeof value === "string" && value !== "") || typeof value === "number"
    ? String(value)
    : undefined;
}
