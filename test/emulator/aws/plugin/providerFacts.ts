import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Value } from "../../../../emulator/aws/plugin/value";

/** What the AWS provider's schema says of one property, under its Pulumi name. */
export interface Fact {
  readonly type: string;
  readonly unordered?: boolean;
  readonly required?: boolean;
  readonly replaces?: boolean;
  /** AWS chooses when it is left out. */
  readonly computed?: boolean;
  /** AWS alone says it. */
  readonly output?: boolean;
  /** The provider judges the value; by what rule, only its source says. */
  readonly validated?: boolean;
  readonly default?: Value;
  /** Paths of properties, from the resource's top. */
  readonly conflictsWith?: readonly string[];
  readonly exactlyOneOf?: readonly string[];
  readonly requiredWith?: readonly string[];
  readonly fields?: Facts;
}

/** Properties by name. */
export type Facts = Readonly<Record<string, Fact>>;

/** Properties by resource type. */
export type FactsOfTypes = Readonly<Record<string, Facts>>;

/** One property in the schema as it was read out of the AWS provider. */
interface SchemaProperty {
  readonly type: string;
  readonly optional?: boolean;
  readonly required?: boolean;
  readonly computed?: boolean;
  readonly replaces?: boolean;
  readonly validated?: boolean;
  readonly default?: string;
  readonly maxItems?: number;
  readonly conflictsWith?: readonly string[];
  readonly exactlyOneOf?: readonly string[];
  readonly requiredWith?: readonly string[];
  readonly fields?: SchemaProperties;
}
type SchemaProperties = Readonly<Record<string, SchemaProperty>>;

/** The schema that the recording in this repository is made of. It lies beside the repository, if at all. */
const SCHEMA = path.join(__dirname, "../../../../../shared/aws/provider-schema-v6.58.json");

/** Facts as recorded in this repository. */
export const RECORDING = path.join(__dirname, "../testdata/providerFacts.json");

/** Types that the schema doesn't have, read in the provider's source, in the same form. */
const BY_SOURCE = path.join(__dirname, "../testdata/providerFactsBySource.json");

/** The facts recorded in this repository. */
export function recordedFacts(): FactsOfTypes {
  const typesIn = (file: string) =>
    (JSON.parse(readFileSync(file, "utf8")) as { types: FactsOfTypes }).types;
  return { ...typesIn(BY_SOURCE), ...typesIn(RECORDING) };
}

/** The text of a recording made from the schema; undefined where there is none. */
export function recordingOfSchema(): string | undefined {
  if (!existsSync(SCHEMA)) {
    return undefined;
  }
  const { source, resources } = JSON.parse(readFileSync(SCHEMA, "utf8")) as {
    source: string;
    resources: Readonly<Record<string, { readonly properties: SchemaProperties }>>;
  };
  const entries = Object.entries(resources).map(([type, { properties }]) => {
    const facts = Object.entries(factsOf(properties, properties));
    const lines = facts.map(
      ([name, fact]) => `    ${JSON.stringify(name)}: ${JSON.stringify(fact)}`,
    );
    return `  ${JSON.stringify(type)}: {\n${lines.join(",\n")}\n  }`;
  });
  const told = JSON.stringify(source.replace(", see reference/aws-truth.md", ""));
  return `{\n"source": ${told},\n"types": {\n${entries.join(",\n")}\n}\n}\n`;
}

/** Properties that all types have alike are left out: the id, and tags where they are a map. */
function factsOf(properties: SchemaProperties, top: SchemaProperties): Facts {
  const alike = (name: string) =>
    properties === top &&
    ["id", "tags", "tagsAll"].includes(name) &&
    properties[name]?.fields === undefined;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !alike(name))
      .map(([name, property]) => [name, factOf(property, top)]),
  );
}

function factOf(property: SchemaProperty, top: SchemaProperties): Fact {
  const { type, fields } = property;
  const isList = type === "list" || type === "set";
  const paths = (given: readonly string[]) => given.map((each) => pulumiPath(each, top));
  return {
    type: !isList
      ? type
      : fields === undefined
        ? "strings"
        : property.maxItems === 1
          ? "block"
          : "blocks",
    ...(type === "set" && property.maxItems !== 1 && { unordered: true }),
    ...(property.required === true && { required: true }),
    ...(property.replaces === true && { replaces: true }),
    ...(property.computed === true &&
      (property.optional === true ? { computed: true } : { output: true })),
    ...(property.validated === true && { validated: true }),
    ...(property.default !== undefined && { default: defaultOf(type, property.default) }),
    ...(property.conflictsWith && { conflictsWith: paths(property.conflictsWith) }),
    ...(property.exactlyOneOf && { exactlyOneOf: paths(property.exactlyOneOf) }),
    ...(property.requiredWith && { requiredWith: paths(property.requiredWith) }),
    ...(fields && { fields: factsOf(fields, top) }),
  };
}

function defaultOf(type: string, text: string): Value {
  return type === "number" ? Number(text) : type === "boolean" ? text === "true" : text;
}

/** `a_block.0.some_id` as `aBlock.someId`, with the plural that Pulumi gives lists. */
function pulumiPath(terraformPath: string, top: SchemaProperties): string {
  let fields: SchemaProperties = top;
  const names = terraformPath.split(".").filter((part) => !/^\d+$/.test(part));
  return names
    .map((part) => {
      const name = part.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const plurals = [
        name,
        `${name}s`,
        `${name}es`,
        name.replace(/y$/, "ies"),
        name.replace(/ifier$/, "ifiers"),
      ];
      const found = plurals.find((each) => each in fields);
      if (found === undefined) {
        throw new Error(`the schema has no property for "${terraformPath}"`);
      }
      fields = fields[found]?.fields ?? {};
      return found;
    })
    .join(".");
}
