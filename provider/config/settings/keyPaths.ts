import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "../machineConfig";

/** The keys of a path as it is written in the tables: `machine.install.image`. */
export function pathOf(field: string): readonly string[] {
  return field === "" ? [] : field.split(".");
}

/** The value at a key path; undefined without one, or where nothing is said (null). */
export function valueAt(
  value: YamlValue | undefined,
  path: readonly string[],
): YamlValue | undefined {
  return path.reduce<YamlValue | undefined>(
    (here, key) =>
      isMapping(here) && Object.hasOwn(here, key) ? (here[key] ?? undefined) : undefined,
    value,
  );
}

/** A copy with another value at a key path. Only the mappings on the way are new. */
export function withValue(
  mapping: ConfigDocument,
  [key = "", ...rest]: readonly string[],
  value: YamlValue,
): ConfigDocument {
  const { [key]: member } = mapping;
  const next = rest.length === 0 ? value : withValue(isMapping(member) ? member : {}, rest, value);
  return { ...mapping, [key]: next };
}

/** A copy without the value at a key path. Mappings that were there stay, also if they are empty now. */
export function withoutMember(
  mapping: ConfigDocument,
  [key = "", ...rest]: readonly string[],
): ConfigDocument {
  const { [key]: member } = mapping;
  if (!Object.hasOwn(mapping, key) || (rest.length > 0 && !isMapping(member))) {
    return mapping;
  }
  return rest.length === 0
    ? mapMembers(mapping, (value, name) => (name === key ? undefined : value))
    : { ...mapping, [key]: withoutMember(isMapping(member) ? member : {}, rest) };
}
