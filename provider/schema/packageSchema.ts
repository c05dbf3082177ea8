import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What is read of a resource in the package's schema. */
export interface ResourceSchema {
  readonly isComponent?: boolean;
  /** Its outputs by name. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly inputProperties: Readonly<Record<string, TypeSchema>>;
  readonly requiredInputs?: readonly string[];
  readonly language?: TypeSchema["language"];
}

/** What is read of the schema of a value. */
export interface TypeSchema {
  readonly type?: "array" | "boolean" | "integer" | "number" | "object" | "string";
  /** Its doc comment. */
  readonly description?: string;
  /** Whether the state encrypts it. */
  readonly secret?: boolean;
  readonly $ref?: string;
  readonly items?: TypeSchema;
  readonly additionalProperties?: TypeSchema;
  readonly oneOf?: readonly TypeSchema[];
  /** Of a mapping with known members. */
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly required?: readonly string[];
  /** Of a mapping: the members that only a program in TypeScript can give. */
  readonly language?: { readonly nodejs: { readonly programOnly: readonly string[] } };
  /** The only texts that are allowed. */
  readonly enum?: readonly { readonly value: string }[];
}

/** The members that a mapping may have, and must have. */
export type MembersSchema = Pick<TypeSchema, "properties" | "required" | "language">;

interface PackageSchema {
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly functions: Readonly<Record<string, { readonly inputs: TypeSchema }>>;
  readonly types: Readonly<Record<string, TypeSchema>>;
}

const TYPES = "#/types/";

let text: string | undefined;
let schema: PackageSchema | undefined;

/**
 * The package's schema as JSON, with a version. `scripts/schema` makes it from the sources.
 */
export function schemaText(version: string): string {
  const plain = JSON.parse(readSchema()) as Record<string, unknown>;
  return JSON.stringify({ ...plain, version });
}

/**
 * One resource or component of the schema.
 *
 * @param type such as `talos-aws:index:MachineSecrets`
 * @throws Error if the schema has no such type
 */
export function resourceSchema(type: string): ResourceSchema {
  const found = packageSchema().resources[type];
  if (found === undefined) {
    throw new Error(`the schema has no type "${type}"`);
  }
  return found;
}

/** The arguments of a resource or a component. */
export function resourceArguments(type: string): MembersSchema {
  const {
    inputProperties: properties,
    requiredInputs: required = [],
    language,
  } = resourceSchema(type);
  return { properties, required, ...(language && { language }) };
}

/** The outputs of a resource or a component, by their names in the schema. */
export function outputsOf(type: string, resource: object): Record<string, unknown> {
  const values = resource as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(resourceSchema(type).properties).map((name) => [name, values[name]]),
  );
}

/** The type of the package that a schema refers to; itself if it refers to none. */
export function referredType(schema: TypeSchema): TypeSchema {
  const { $ref = "" } = schema;
  return $ref.startsWith(TYPES)
    ? (packageSchema().types[$ref.slice(TYPES.length)] ?? schema)
    : schema;
}

/** The arguments of a function such as `talos-aws:index:getVersion`, without members if there is none. */
export function functionArguments(token: string): TypeSchema {
  return packageSchema().functions[token]?.inputs ?? {};
}

/** Whether the schema has a component of a type such as `talos-aws:index:TalosCluster`. */
export function isComponent(type: string): boolean {
  return packageSchema().resources[type]?.isComponent === true;
}

function packageSchema(): PackageSchema {
  schema ??= JSON.parse(readSchema()) as PackageSchema;
  return schema;
}

function readSchema(): string {
  text ??= readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8");
  return text;
}
