import { isMapping, type YamlValue } from "../machineConfig";
import type { KindError } from "./verdictParts";

/** The version and kind of a file, as the table of types names it. */
export function kindOf(content: YamlValue): string {
  const { apiVersion, kind } = isMapping(content) ? content : {};
  return [apiVersion, kind].map((part) => (typeof part === "string" ? part : "")).join(" ");
}

/** A file has to say its version and kind. Source: k8s.io/apimachinery v0.37.2, `pkg/runtime/error.go`. */
export function kindError(
  content: YamlValue,
  expected: readonly string[],
  kinds: ReadonlyMap<string, string>,
): KindError | undefined {
  const { apiVersion, kind } = isMapping(content) ? content : {};
  const here = expected.filter((each) => kinds.has(each));
  const error = (path: string, words: string): KindError => ({
    kind: "kind",
    path: [path],
    expected: here,
    words,
  });
  if (typeof kind !== "string" || kind === "") {
    return error("kind", `Object 'Kind' is missing in '${JSON.stringify(content)}'`);
  }
  if (typeof apiVersion !== "string" || apiVersion === "") {
    return error("apiVersion", `Object 'apiVersion' is missing in '${JSON.stringify(content)}'`);
  }
  const isVersion = here.some((each) => each.startsWith(`${apiVersion} `));
  return here.includes(kindOf(content))
    ? undefined
    : error(
        isVersion ? "kind" : "apiVersion",
        `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
}
