import { pythonName } from "../../../plugin/pythonName";
import { type ExampleResource, type ExampleValue, Reference, referencesIn } from "./exampleProgram";
import { type ExampleTypes, type MembersSchema, nameOf, type ValueSchema } from "./exampleTypes";
import { block } from "./writeLiterals";

/** The example in Python. */
export function pythonExample(example: readonly ExampleResource[], types: ExampleTypes): string {
  const used = new Set(
    example.flatMap(({ properties }) => referencesIn(properties)).map(({ resource }) => resource),
  );
  const resources = example.map(({ name, token, properties }) => {
    const { properties: schemas = {} } = types.argumentsOf(token);
    const args = Object.entries(properties).map(
      ([argument, value]) => `${pythonName(argument)}=${valueIn(value, schemas[argument], types)}`,
    );
    const variable = used.has(name) ? `${pythonName(name)} = ` : "";
    const call = { open: `${variable}talos.${nameOf(token)}(`, close: ")" };
    return block(call, [JSON.stringify(name), ...args]);
  });
  return ["import pulumi_talos_aws as talos", "", ...resources].join("\n");
}

function valueIn(
  value: ExampleValue,
  schema: ValueSchema | undefined,
  types: ExampleTypes,
): string {
  if (value instanceof Reference) {
    const keys = value.keys.map((key) => `[${JSON.stringify(key)}]`);
    return `${pythonName(value.resource)}.${pythonName(value.output)}${keys.join("")}`;
  }
  if (Array.isArray(value)) {
    return `[${value.map((item: ExampleValue) => valueIn(item, schema?.items, types)).join(", ")}]`;
  }
  if (typeof value === "boolean") {
    return value ? "True" : "False";
  }
  return typeof value === "object"
    ? mappingIn(value as Readonly<Record<string, ExampleValue>>, schema, types)
    : JSON.stringify(value);
}

function mappingIn(
  value: Readonly<Record<string, ExampleValue>>,
  schema: ValueSchema | undefined,
  types: ExampleTypes,
): string {
  const members: MembersSchema | undefined = schema && types.named(schema);
  const parts = Object.entries(value).map(([name, each]) => {
    const key = members === undefined ? name : pythonName(name);
    const inside = members?.properties?.[name] ?? schema?.additionalProperties;
    return `${JSON.stringify(key)}: ${valueIn(each, inside, types)}`;
  });
  return block({ open: "{", close: "}" }, parts);
}
