import { type ExampleResource, exampleOf } from "./exampleProgram";
import type { ExampleTypes } from "./exampleTypes";
import { goExample } from "./goExample";
import { pythonExample } from "./pythonExample";
import { typeScriptExample } from "./typeScriptExample";
import { yamlExample } from "./yamlExample";

type Writer = (example: readonly ExampleResource[], types: ExampleTypes) => string;

/** The languages of examples, by the names that the Registry gives them. */
export const EXAMPLE_LANGUAGES: Readonly<Record<string, Writer>> = {
  typescript: typeScriptExample,
  python: pythonExample,
  go: goExample,
  yaml: yamlExample,
};

/**
 * What a description says after its own text: how a program uses the resource, in each language. The generators of SDKs
 * keep the language of their own. Source of the marks: pulumi v3.230.0, pkg/codegen/docs.go.
 *
 * @param token of the resource
 */
export function exampleUsage(
  token: string,
  program: readonly ExampleResource[],
  types: ExampleTypes,
): string {
  const example = exampleOf(token, program);
  const blocks = Object.entries(EXAMPLE_LANGUAGES).map(
    ([language, write]) => `\`\`\`${language}\n${write(example, types)}\n\`\`\``,
  );
  return [
    "{{% examples %}}\n## Example Usage\n{{% example %}}\n",
    ...blocks,
    "{{% /example %}}\n{{% /examples %}}",
  ].join("\n");
}
