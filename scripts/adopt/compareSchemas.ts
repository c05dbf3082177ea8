import type { PropertySchema, SchemaFile } from "../../provider/config/schema/configSchema";
import { type Change, changesOf, listChanges } from "./changes";

/** What differs between the documents of two releases. */
export interface SchemaChanges {
  /** Kinds that came, each with its fields. */
  readonly kindsThatCame: readonly { readonly kind: string; readonly fields: readonly string[] }[];
  readonly kindsThatWent: readonly string[];
  /** `v1alpha1: machine.sysctls`, without those in a field or kind that came or went too. */
  readonly fieldsThatCame: readonly { readonly name: string; readonly type: string }[];
  readonly fieldsThatWent: readonly string[];
  /** Fields that the new release reads, but documents no more. */
  readonly deprecated: readonly string[];
  readonly changed: readonly Change[];
  /** What kinds conflict with. */
  readonly conflicts: readonly Change[];
}

/** Compares what two releases read in their documents. */
export function compareSchemas(before: SchemaFile, after: SchemaFile): SchemaChanges {
  const [former, now] = [kindsOf(before), kindsOf(after)];
  const kinds = listChanges(Object.keys(former), Object.keys(now));
  const shared = Object.keys(now).filter((kind) => kind in former);
  const named = (each: Readonly<Record<string, Fields>>): (readonly [string, Field])[] =>
    shared.flatMap((kind) =>
      Object.entries(each[kind] ?? {}).map(
        ([path, field]) => [`${kind || "v1alpha1"}: ${path}`, field] as const,
      ),
    );
  const [formerFields, fields] = [new Map(named(former)), new Map(named(now))];
  const types = (all: ReadonlyMap<string, Field>) =>
    Object.fromEntries([...all].map(([name, { type }]) => [name, type]));
  const changes = changesOf(types(formerFields), types(fields));
  return {
    kindsThatCame: kinds.came.map((kind) => ({
      kind,
      fields: outermost(Object.keys(now[kind] ?? {})),
    })),
    kindsThatWent: kinds.went,
    fieldsThatCame: outermost(changes.came).map((name) => ({
      name,
      type: fields.get(name)?.type ?? "",
    })),
    fieldsThatWent: outermost(changes.went),
    deprecated: outermost(
      [...fields.keys()].filter(
        (name) =>
          fields.get(name)?.deprecated === true && formerFields.get(name)?.deprecated === false,
      ),
    ),
    changed: changes.changed,
    conflicts: changesOf(conflictsOf(before), conflictsOf(after)).changed,
  };
}

interface Field {
  readonly type: string;
  readonly deprecated: boolean;
}

/** By path: `ntp.servers[].address`. */
type Fields = Readonly<Record<string, Field>>;

function kindsOf(file: SchemaFile): Record<string, Fields> {
  return Object.fromEntries(
    file["x-documents"].map(({ kind, type }) => [
      kind,
      Object.fromEntries(fieldsOf(file, type, "", [])),
    ]),
  );
}

function conflictsOf(file: SchemaFile): Record<string, string> {
  return Object.fromEntries(
    file["x-documents"].map(({ kind, conflictsWith = [] }) => [kind, conflictsWith.join(", ")]),
  );
}

function fieldsOf(
  file: SchemaFile,
  type: string,
  path: string,
  outer: readonly string[],
): (readonly [path: string, field: Field])[] {
  const definition = file.$defs[type];
  return Object.entries(definition?.properties ?? {})
    .filter(([name]) => path !== "" || !["apiVersion", "kind"].includes(name))
    .flatMap(([name, schema]) => {
      const place = path === "" ? name : `${path}.${name}`;
      const { suffix, inner } = innermost(schema);
      const innerType = inner.$ref?.replace("#/$defs/", "");
      const isRequired = definition?.required?.includes(name) === true;
      const field = {
        type: [describe(schema), ...(isRequired ? ["required"] : [])].join(", "),
        deprecated: schema.deprecated === true,
      };
      const within =
        innerType === undefined || outer.includes(innerType)
          ? []
          : fieldsOf(file, innerType, `${place}${suffix}`, [...outer, type]);
      return [[place, field] as const, ...within];
    });
}

/** What is in a list or a map, at any depth, and how its path goes on: `[]` or `.*`. */
function innermost(schema: PropertySchema): {
  readonly suffix: string;
  readonly inner: PropertySchema;
} {
  const { items, additionalProperties } = schema;
  const inside =
    items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  if (inside === undefined) {
    return { suffix: "", inner: schema };
  }
  const { suffix, inner } = innermost(inside);
  return { suffix: `${items === undefined ? ".*" : "[]"}${suffix}`, inner };
}

/** A type with all that the package treats it by, but for the fields within. */
function describe(schema: PropertySchema): string {
  const { $ref, type, items, additionalProperties, format, deprecated: _, ...others } = schema;
  const isMap = typeof additionalProperties === "object";
  const base = [
    ...($ref === undefined ? [] : ["mapping"]),
    ...(items === undefined ? [] : [`list of ${describe(items)}`]),
    ...(isMap ? [`map of ${describe(additionalProperties)}`] : []),
    ...($ref === undefined && items === undefined && !isMap
      ? [[type ?? "anything"].flat().join(" or ")]
      : []),
    ...(format === undefined ? [] : [format]),
  ];
  const rest = Object.entries(others).map(([key, value]) =>
    value === true
      ? key.replace(/^x-/, "")
      : `${key.replace(/^x-/, "")} ${JSON.stringify(value).replaceAll('"', "")}`,
  );
  return [...base, ...rest].join(", ");
}

/** Paths without those that are within another one of them. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    const parts = path.split(/(?=\.|\[\])/);
    return !parts.some((_, index) => index > 0 && all.has(parts.slice(0, index).join("")));
  });
}
