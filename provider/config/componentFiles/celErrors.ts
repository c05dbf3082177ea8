import { celVariables, checkCel } from "../celSyntax";
import type { Path } from "../path";
import type { FileView } from "./fieldErrors";

/**
 * Checks an expression of the Common Expression Language that a component compiles when it starts: its
 * syntax, and the names of its variables. Types and fields are the compiler's matter.
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
}
