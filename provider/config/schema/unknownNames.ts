import { type ConfigDocument, textAt, type YamlValue } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { NEWEST_ACCEPTED_MINOR } from "../releases/acceptedTalos";
import { suggest } from "../suggestion";
import { type ConfigSchema, type Field, itemField, memberField } from "./configSchema";
import { talosSchemas } from "./talosSchemas";

/**
 * The message about an unknown kind of document: another release that has it, the most similar
 * kind, or all kinds.
 */
export function unknownKind(kind: YamlValue, schema: ConfigSchema): string {
  if (typeof kind !== "string") {
    return "has to be a text";
  }
  const talos = releaseOf(schema);
  const elsewhere = otherReleases(schema, (other) => other.documents.has(kind));
  if (elsewhere !== undefined) {
    return `${kind} is not known to ${talos}: it ${elsewhere}`;
  }
  const kinds = [...schema.documents.keys()].filter((name) => name !== "");
  // All kinds end in "Config", which says nothing about similarity.
  const near = suggest(kind, kinds, Math.max(1, Math.floor((kind.length - "Config".length) / 3)));
  return `"${kind}" is not a kind of document that ${talos} knows; ${near === undefined ? `known: ${kinds.join(", ")}` : `did you mean "${near}"?`}`;
}

/**
 * The message about an unknown key at a path of a document: another release that has it, the most
 * similar key, other places of the key, or all keys.
 */
export function unknownKey(
  key: string,
  path: Path,
  document: ConfigDocument,
  schema: ConfigSchema,
): string {
  const kind = textAt(document, "kind") ?? "";
  const elsewhere = otherReleases(schema, (other) => fieldsAt(other, kind, path).has(key));
  if (elsewhere !== undefined) {
    return `is not known to ${releaseOf(schema)}: it ${elsewhere}`;
  }
  const fields = fieldsAt(schema, kind, path);
  const current = [...fields].filter(([, { deprecated }]) => !deprecated).map(([name]) => name);
  const near = suggest(key, current) ?? suggest(key, fields.keys());
  if (near !== undefined) {
    return `unknown key; did you mean "${near}"?`;
  }
  const homes = homesOf(key, schema.document(kind), []);
  return homes.length > 0 && homes.length <= MAX_HOMES
    ? `unknown key; did you mean ${homes.map((home) => `"${home}"`).join(" or ")}?`
    : `unknown key; allowed here: ${current.join(", ")}`;
}

/** A key that occurs in more places is too common to guess its place. */
const MAX_HOMES = 3;

function releaseOf(schema: ConfigSchema): string {
  return `Talos v1.${schema.talosMinor}`;
}

/**
 * Since or until which release other Talos releases have something: "exists since v1.13".
 *
 * @param schemas of all releases. Default: those of configuration documents
 */
export function otherReleases(
  schema: ConfigSchema,
  knows: (schema: ConfigSchema) => boolean,
  schemas: ReadonlyMap<number, ConfigSchema> = talosSchemas,
): string | undefined {
  const minor = schema.talosMinor;
  const minors = [...schemas].filter(([, other]) => knows(other)).map(([known]) => known);
  // It is no advice to run a release that is refused.
  const later = minors.filter((known) => known > minor && known <= NEWEST_ACCEPTED_MINOR);
  if (later.length > 0) {
    return `exists since v1.${Math.min(...later)}`;
  }
  const earlier = minors.filter((known) => known < minor);
  return earlier.length > 0 ? `existed until v1.${Math.max(...earlier)}` : undefined;
}

/** The keys of a mapping at a path of a document kind. */
export function fieldsAt(
  schema: ConfigSchema,
  kind: string,
  path: Path,
): ReadonlyMap<string, Field> {
  const field = path.reduce<Field | undefined>(
    (here, step) => (typeof step === "number" ? itemField(here) : memberField(here, step)),
    schema.document(kind),
  );
  return field?.shape.kind === "struct" ? field.shape.fields : new Map<string, Field>();
}

/** The paths of a document that have a key, without those inside lists. */
function homesOf(key: string, field: Field | undefined, path: Path): string[] {
  if (field?.shape.kind !== "struct") {
    return [];
  }
  return [...field.shape.fields].flatMap(([name, member]) => [
    ...(name === key ? [formatPath([...path, name])] : []),
    ...homesOf(key, member, [...path, name]),
  ]);
}
