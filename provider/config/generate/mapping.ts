import { type ConfigDocument, isMapping, type YamlScalar, type YamlValue } from "../machineConfig";

/** Plain data of options: read-only, with undefined for unset values. */
export type Gapped = YamlScalar | undefined | readonly Gapped[] | GappedMapping;

/** A mapping of such data. */
export interface GappedMapping {
  readonly [key: string]: Gapped;
}

/** A copy as a YAML mapping, without unset values. */
export function mapping(fields: GappedMapping): ConfigDocument {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, copy(value)]],
    ),
  );
}

/** A document besides the machine configuration proper. */
export function configDocument(kind: string, fields: GappedMapping): ConfigDocument {
  return mapping({ apiVersion: "v1alpha1", kind, ...fields });
}

/** The same as a list; none without fields. */
export function documentOf(kind: string, fields: GappedMapping | undefined): ConfigDocument[] {
  return fields === undefined ? [] : [configDocument(kind, fields)];
}

/** Two mappings merged: mappings in both are merged too, otherwise the second value wins. */
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

/** `Array.isArray` does not narrow a read-only list. */
function isList(value: Gapped): value is readonly Gapped[] {
  return Array.isArray(value);
}
