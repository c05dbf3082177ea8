import { stringify } from "yaml";
import { type ExampleResource, type ExampleValue, Reference } from "./exampleProgram";

/** The example in YAML. */
export function yamlExample(example: readonly ExampleResource[]): string {
  const resources = Object.fromEntries(
    example.map(({ name, token, properties }) => [
      name,
      { type: token.replace(":index:", ":"), properties: plain(properties) },
    ]),
  );
  return stringify({ resources }, { lineWidth: 0 }).trimEnd();
}

function plain(value: ExampleValue): unknown {
  if (value instanceof Reference) {
    const keys = value.keys.map((key) => `[${JSON.stringify(key)}]`);
    return `\${${value.resource}.${value.output}${keys.join("")}}`;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  return typeof value === "object"
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
    : value;
}
