import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { addOnChoices } from "../../../components/addOns/addOnChoices";
import { ADD_ON_NAMES } from "../../../components/addOns/registry";
import { WORKER_EXAMPLES } from "../../engine/support/workerExamples";

const root = join(__dirname, "../../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** The examples that the engine brings up and down in a test. */
const lived = [
  ...Object.keys(WORKER_EXAMPLES),
  ...["engine", "life"].flatMap((folder) =>
    readdirSync(join(root, "test", folder))
      .filter((file) => file.endsWith(".test.ts"))
      .flatMap((file) => [
        ...textOf(`test/${folder}/${file}`).matchAll(/^describeExample\("([a-z-]+)"\);$/gm),
      ])
      .map(([, example = ""]) => example),
  ),
];

/** The names in the argument `addOns` of a program, without those that are turned off. */
function namesIn(example: string): string[] {
  const path = `examples/${example}/index.ts`;
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === "addOns" &&
      ts.isObjectLiteralExpression(node.initializer)
    ) {
      const chosen = node.initializer.properties.filter(
        (each) => !each.getText().endsWith("false"),
      );
      names.push(...chosen.map(({ name }) => name?.getText() ?? ""));
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, textOf(path), ts.ScriptTarget.ES2022, true));
  return names;
}

const table = lived.map((example) => {
  const given = Object.fromEntries(namesIn(example).map((name) => [name, true] as const));
  return { example, names: Object.keys(addOnChoices(given)) };
});

test("there are examples with add-ons", () => {
  expect(lived.length).toBeGreaterThan(8);
  expect(namesIn("autoscaling")).toContain("clusterAutoscaler");
  expect(namesIn("minimal")).toEqual([]);
});

// With those that others bring, as the metrics server brings what approves kubelets' certificates.
test.each(ADD_ON_NAMES)("%s is in an example that the engine brings up and down", (name) => {
  const examples = table.filter(({ names }) => names.includes(name));
  expect(examples.map(({ example }) => example)).not.toEqual([]);
});
