import type { Path } from "../path";
import { celFields, celVariables, checkCel } from "../schema/celSyntax";
import type { FileView } from "./fieldErrors";

/** The fields of a type by their names; `any` for one whose members aren't judged. */
interface Fields {
  readonly [name: string]: Fields | "any";
}

const SELECTOR: Fields = { rawSelector: "any", requirements: "any" };

/**
 * The fields of variables; `claims` has any. Sources: k8s.io/apiserver v0.30.14 to v0.37.2,
 * `buildUserType` in pkg/authentication/cel/compile.go, `buildRequestType` in pkg/authorization/cel/compile.go.
 */
const VARIABLES: Fields = {
  claims: "any",
  user: { username: "any", uid: "any", groups: "any", extra: "any" },
  request: {
    resourceAttributes: {
      ...Object.fromEntries(
        ["namespace", "verb", "group", "version", "resource", "subresource", "name"].map((name) => [
          name,
          "any" as const,
        ]),
      ),
      fieldSelector: SELECTOR,
      labelSelector: SELECTOR,
    },
    nonResourceAttributes: { path: "any", verb: "any" },
    user: "any",
    groups: "any",
    extra: "any",
    uid: "any",
  },
};

/**
 * Checks an expression of the Common Expression Language that a component compiles when it starts: its
 * syntax, the names of its variables, and their fields. Other types are the compiler's matter.
 *
 * @param variable the only one that there is, such as `claims`
 */
export function checkExpression(view: FileView, path: Path, variable: string): void {
  const expression = view.text(...path);
  const syntax = checkCel(expression);
  if (syntax !== undefined) {
    view.invalid(path, `compilation failed: ${syntax}`);
  }
  for (const name of celVariables(expression)) {
    if (name !== variable) {
      view.invalid(path, `compilation failed: undeclared reference to '${name}' (in container '')`);
    }
  }
  for (const chain of celFields(expression)) {
    const unknown = unknownField(chain, VARIABLES);
    if (unknown !== undefined) {
      view.invalid(path, `compilation failed: undefined field '${unknown}'`);
    }
  }
}

/** The first name of a chain that its type doesn't have; undefined if all are there. */
function unknownField([name, ...rest]: readonly string[], fields: Fields): string | undefined {
  if (name === undefined || rest.length === 0) {
    return undefined;
  }
  const [next = ""] = rest;
  const type = Object.hasOwn(fields, name) ? fields[name] : "any";
  return type === undefined || type === "any"
    ? undefined
    : Object.hasOwn(type, next)
      ? unknownField(rest, type)
      : next;
}
