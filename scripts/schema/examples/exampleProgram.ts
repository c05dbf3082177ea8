import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { paths } from "../../paths";

/** A value of an example: literal, or a reference to another resource's output. */
export type ExampleValue =
  | string
  | number
  | boolean
  | Reference
  | readonly ExampleValue[]
  | { readonly [name: string]: ExampleValue };

/** An output of another resource of the example, or a value in it. */
export class Reference {
  /** @param keys inside the output, for example of a map by zone. Default: none */
  constructor(
    readonly resource: string,
    readonly output: string,
    readonly keys: readonly string[],
  ) {}
}

/** A resource of an example. */
export interface ExampleResource {
  readonly name: string;
  /** Such as `talos-aws:index:Network`. */
  readonly token: string;
  readonly properties: Readonly<Record<string, ExampleValue>>;
}

interface WrittenProgram {
  readonly resources: Readonly<Record<string, WrittenResource>>;
}

interface WrittenResource {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The program in YAML of which every example is a part. */
export const EXAMPLE_FILE = join(paths.root, "scripts/schema/examples/program.yaml");

/** Reads the program. */
export function readExampleProgram(): readonly ExampleResource[] {
  const { resources } = parse(readFileSync(EXAMPLE_FILE, "utf8")) as WrittenProgram;
  return Object.entries(resources).map(([name, { type, properties }]) => ({
    name,
    token: type.replace(":", ":index:"),
    properties: Object.fromEntries(
      Object.entries(properties).map(([property, value]) => [property, valueOf(value)]),
    ),
  }));
}

/**
 * The example of a type: its first resource in the program, after all that it refers to.
 *
 * @throws Error if the program has none of the type
 */
export function exampleOf(
  token: string,
  program: readonly ExampleResource[],
): readonly ExampleResource[] {
  const shown = program.find((resource) => resource.token === token);
  if (shown === undefined) {
    throw new Error(`${EXAMPLE_FILE} has no resource of the type "${token}": add one`);
  }
  const needed = new Set<string>();
  const need = (name: string) => {
    const resource = program.find((each) => each.name === name);
    if (resource === undefined) {
      throw new Error(`${EXAMPLE_FILE} refers to "${name}", which it doesn't have`);
    }
    needed.add(name);
    referencesIn(resource.properties).forEach((reference) => need(reference.resource));
  };
  need(shown.name);
  return program.filter(({ name }) => needed.has(name));
}

/** All references in a value. */
export function referencesIn(value: ExampleValue): readonly Reference[] {
  if (value instanceof Reference) {
    return [value];
  }
  return typeof value === "object" ? Object.values(value).flatMap(referencesIn) : [];
}

function valueOf(value: unknown): ExampleValue {
  if (Array.isArray(value)) {
    return value.map(valueOf);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, valueOf(each)]));
  }
  const [, resource, output, keys = ""] =
    /^\$\{(\w+)\.(\w+)((?:\["[^"]+"\])*)\}$/.exec(String(value)) ?? [];
  if (resource !== undefined && output !== undefined) {
    const inside = [...keys.matchAll(/"([^"]+)"/g)].map(([, key = ""]) => key);
    return new Reference(resource, output, inside);
  }
  return value as string | number | boolean;
}
