import type { YamlValue } from "./machineConfig";
import { suggest } from "./suggestion";

/**
 * The message about a value that is none of the allowed words: the allowed words, and the most
 * similar one.
 *
 * @param quoted the value in its form for messages
 */
export function notAllowed(
  quoted: string,
  value: YamlValue | undefined,
  allowed: readonly string[],
): string {
  const words = allowed.map((word) => `"${word}"`).join(", ");
  const list = allowed.length === 1 ? `has to be ${words}` : `has to be one of ${words}`;
  if (typeof value !== "string" || value === "") {
    return list;
  }
  const near = suggest(value, allowed);
  return `${quoted} is not allowed: ${near === undefined ? list : `did you mean "${near}"? It ${list}`}`;
}
