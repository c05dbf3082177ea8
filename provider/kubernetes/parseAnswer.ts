import { printableValue } from "../base/printable";

/**
 * An answer of an API server whose texts people see: without what a terminal would obey. Whoever compares objects reads them
 * as they are.
 *
 * @throws SyntaxError if it isn't JSON
 */
export function parseAnswer(body: string): unknown {
  return printableValue(JSON.parse(body) as unknown);
}
