import { talosMinor } from "../provider/config/releases/talosMinor";
import type { PropertySchema, SchemaFile } from "../provider/config/schema/configSchema";

/** Since which Talos minor things are known; what the oldest knew already is not told. */
export interface Ages {
  /** By kind of document. */
  readonly documents: ReadonlyMap<string, number>;
  /** By `type.field` of the newest schema; a field that came with all of its type is not told. */
  readonly fields: ReadonlyMap<string, number>;
}

/** A type at one place of a document, in each schema that has something there. */
type Place = readonly (PropertySchema | undefined)[];

/**
 * When each document and field of the newest of several schemas, oldest first, came to be. Types are
 * compared by where they stand: releases rename them, and give one to a place that had another.
 */
export function fieldAges(schemas: readonly SchemaFile[]): Ages {
  const minors = schemas.map((schema) => talosMinor(schema["x-talosVersion"]) ?? 0);
  const first = (present: readonly unknown[]): number =>
    minors[present.findIndex((one) => one !== undefined)] ?? 0;
  const documents = new Map<string, number>();
  const fields = new Map<string, number>();
  const visited = new Set<string>();

  const visit = (type: string, place: Place): void => {
    const key = [type, ...place.map((schema) => JSON.stringify(schema?.$ref))].join();
    if (visited.has(key)) {
      return;
    }
    visited.add(key);
    const definitions = place.map((schema, index) => schemas[index]?.$defs[typeOf(schema) ?? ""]);
    for (const name of Object.keys(definitions.at(-1)?.properties ?? {})) {
      const members = definitions.map((definition) => definition?.properties?.[name]);
      const age = first(members) > first(definitions) ? first(members) : 0;
      const id = `${type}.${name}`;
      fields.set(id, Math.min(age, fields.get(id) ?? age));
      const inner = members.map(innermost);
      const innerType = typeOf(inner.at(-1));
      if (innerType !== undefined) {
        visit(innerType, inner);
      }
    }
  };

  for (const { kind, type } of schemas.at(-1)?.["x-documents"] ?? []) {
    const place = schemas.map((schema) => {
      const known = schema["x-documents"].find((document) => document.kind === kind);
      return known && { $ref: `#/$defs/${known.type}` };
    });
    documents.set(kind, first(place));
    visit(type, place);
  }
  const oldest = minors[0] ?? 0;
  return { documents: newerThan(oldest, documents), fields: newerThan(oldest, fields) };
}

/** What is in a list or a map, at any depth. */
function innermost(schema: PropertySchema | undefined): PropertySchema | undefined {
  const { items, additionalProperties } = schema ?? {};
  const inner =
    items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return inner === undefined ? schema : innermost(inner);
}

function typeOf(schema: PropertySchema | undefined): string | undefined {
  return schema?.$ref?.replace("#/$defs/", "");
}

function newerThan(minor: number, ages: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...ages].filter(([, age]) => age > minor));
}
