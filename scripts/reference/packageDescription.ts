import { readFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../paths";

/** A type in the schema of a Pulumi package. */
export interface TypeDescription {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeDescription;
  readonly additionalProperties?: TypeDescription;
  readonly oneOf?: readonly TypeDescription[];
}

/** An argument, an output or a field. */
export interface PropertyDescription extends TypeDescription {
  readonly description?: string;
  readonly deprecationMessage?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
}

/** Properties by name, and which of them programs must give. */
export interface ObjectDescription {
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertyDescription>>;
  readonly required?: readonly string[];
}

/** A resource or a component. */
export interface ResourceDescription extends ObjectDescription {
  readonly isComponent?: boolean;
  readonly inputProperties: Readonly<Record<string, PropertyDescription>>;
  readonly requiredInputs?: readonly string[];
  readonly methods?: Readonly<Record<string, string>>;
}

/** A function or a method. */
export interface FunctionDescription {
  readonly description?: string;
  readonly inputs: ObjectDescription;
  readonly outputs: ObjectDescription;
}

/** A type of the package: an object, or an enumeration. */
export interface NamedType extends Partial<ObjectDescription> {
  readonly enum?: readonly { readonly value: string }[];
}

/** What `plugin/schema.json` describes. Everything has its token as its name. */
export interface PackageDescription {
  readonly resources: Readonly<Record<string, ResourceDescription>>;
  readonly functions: Readonly<Record<string, FunctionDescription>>;
  readonly types: Readonly<Record<string, NamedType>>;
}

/** Reads `plugin/schema.json`. */
export function readPackageDescription(): PackageDescription {
  const text = readFileSync(join(paths.root, "plugin/schema.json"), "utf8");
  return JSON.parse(text) as PackageDescription;
}

/** The name in a token such as `talos-aws:index:TalosCluster`, or in a reference to it. */
export function nameIn(token: string): string {
  return token.split(":").pop() ?? token;
}
