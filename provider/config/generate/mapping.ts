import { type ConfigDocument, isMapping, type YamlScalar, type YamlValue } from "../machineConfig";

/** Plain data as options hold it: read-only, and with gaps where something is not set. */
export type Gapped = YamlScalar | undefined | readonly Gapped[] | GappedMapping;

/** A mapping of such data. */
export interface GappedMapping {
  readonly [key: string]: Gapped;
}

/** A copy as a mapping of YAML, without what is not set. */
export function mapping(fields: GappedMapping): ConfigDocument {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, copy(value)]],
    ),
  );
}

/** A document beside the machine configuration proper. */
export function configDocument(kind: string, fields: GappedMapping): ConfigDocument {
  return mapping({ apiVersion: "v1alpha1", kind, ...fields });
}

/** Two mappings as one: mappings in both become one too, of anything else the second's counts. */
export function union(first: ConfigDocument, second: ConfigDocument): ConfigDocument {
  const entries = Object.entries(second).map(([key, value]): [string, YamlValue] => {
    const other = first[key];
    return [key, isMapping(other) && isMapping(value) ? union(other, value) : value];
  });
  return { ...first, ...Object.fromEntries(entries) };
}

function copy(value: Exclude<Gapped, undefined>): YamlValue {
  if (isList(value)) {
    return value.flatMap((item) => (item === undefined ? [] : [copy(item)]));
  }
  return typeof value === "object" && value !== null ? mapping(value) : value;
}

/** `Array.isArray` takes a read-only list for something else. */
function isList(value: Gapped): value is readonly Gapped[] {
  return Array.isArray(value);
}
