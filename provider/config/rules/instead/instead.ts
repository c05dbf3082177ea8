import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "../../machineConfig";

/** What says in documents the same as a field of the machine configuration proper. */
export interface Instead {
  /** Patches of documents that say it, each complete. Empty: nothing needs to be said. */
  readonly documents: readonly ConfigDocument[];
  /** Parts that no document says, each with what to do: `extraMounts has no document`. */
  readonly lost?: readonly string[];
}

/** Says a field's value in documents. */
export type Translation = (value: YamlValue) => Instead;

/** A patch of a document; fields that are undefined are left out. */
export function patchOf(
  kind: string,
  fields: Readonly<Record<string, YamlValue | undefined>>,
): ConfigDocument {
  const given = Object.entries(fields).filter(
    (entry): entry is [string, YamlValue] => entry[1] !== undefined,
  );
  return { apiVersion: "v1alpha1", kind, ...Object.fromEntries(given) };
}

/** Says a field's value in one document. */
export function saidBy(
  kind: string,
  fieldsFor: (value: YamlValue) => Parameters<typeof patchOf>[1],
): Translation {
  return (value) => ({ documents: [patchOf(kind, fieldsFor(value))] });
}

/** A patch that deletes a document. */
export function deletionOf(kind: string, name?: string): ConfigDocument {
  return patchOf(kind, { name, $patch: "delete" });
}

/** A patch of a document, if it says anything. */
export function patchIfAny(
  kind: string,
  fields: Readonly<Record<string, YamlValue | undefined>>,
): ConfigDocument[] {
  return Object.values(fields).some((value) => value !== undefined) ? [patchOf(kind, fields)] : [];
}

/**
 * The members of a mapping that say something; none of another value. Talos writes some fields also if they
 * are empty.
 */
export function membersIn(
  value: YamlValue | undefined,
): Readonly<Record<string, YamlValue | undefined>> {
  return isMapping(value)
    ? mapMembers(value, (member) => (isEmpty(member) ? undefined : member))
    : {};
}

function isEmpty(value: YamlValue): boolean {
  return typeof value === "object"
    ? value === null || Object.keys(value).length === 0
    : value === "";
}

/** The members of a mapping that have these names. */
export function only(
  members: Readonly<Record<string, YamlValue | undefined>>,
  ...names: readonly string[]
): Readonly<Record<string, YamlValue | undefined>> {
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

/** The items of a list; none of another value. */
export function itemsIn(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? value : [];
}

/** What is said of members that no document has, and that the value has. */
export function lostOf(
  members: Readonly<Record<string, YamlValue | undefined>>,
  advice: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(advice).flatMap(([name, what]) =>
    members[name] === undefined ? [] : [`${name} ${what}`],
  );
}

/** The same of a flag that is on or off in the other way round. */
export function inverted(value: YamlValue | undefined): boolean | undefined {
  return typeof value === "boolean" ? !value : undefined;
}
