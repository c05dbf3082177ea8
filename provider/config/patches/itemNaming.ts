import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";

/** The name of a list item; undefined without one. */
export type ItemNaming = (item: YamlValue) => string | undefined;

/** Fields that identify items of lists for which Talos has no rule, in order of preference. */
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
 * How to identify the items of some lists: by Talos' merge keys, else by a field that is unique in
 * each list. Undefined if no field is unique in all lists.
 *
 * @param mergeBy Talos' merge keys of the items; empty if it appends items
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

/** Of several keys, the first that an item has counts, as in Talos. */
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
