import { readManifest } from "../packageManifest";
import { type ExampleResource, type ExampleValue, Reference, referencesIn } from "./exampleProgram";
import { nameOf } from "./exampleTypes";
import { block } from "./writeLiterals";

const INDENT = "  ";

/** The example in TypeScript. */
export function typeScriptExample(example: readonly ExampleResource[]): string {
  const names = [...new Set(example.map(({ token }) => nameOf(token)))].sort();
  const used = new Set(
    example.flatMap(({ properties }) => referencesIn(properties)).map(({ resource }) => resource),
  );
  const resources = example.map(({ name, token, properties }) => {
    const variable = used.has(name) ? `const ${name} = ` : "";
    return `${variable}new ${nameOf(token)}(${JSON.stringify(name)}, ${valueIn(properties)});`;
  });
  const imported = `import { ${names.join(", ")} } from "${readManifest().name}";`;
  return [imported, "", ...resources].join("\n");
}

function valueIn(value: ExampleValue): string {
  if (value instanceof Reference) {
    const keys = value.keys.map((key) => `[${JSON.stringify(key)}]`);
    return `${value.resource}.${value.output}${keys.join("")}`;
  }
  if (Array.isArray(value)) {
    return `[${value.map(valueIn).join(", ")}]`;
  }
  return typeof value === "object"
    ? block(
        { open: "{", close: "}" },
        Object.entries(value).map(([name, each]) => `${keyOf(name)}: ${valueIn(each)}`),
        INDENT,
      )
    : JSON.stringify(value);
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
