import { stripVTControlCharacters } from "node:util";
import { CommandFailure } from "../commandFailure";

/** How many lines of an error are shown; what comes after is output of the whole run. */
const MOST_LINES = 40;

/**
 * What the engine says of why it failed, without its command line and other output.
 *
 * @param told error messages that it gave while it ran
 */
export function engineFailure(error: unknown, told: readonly string[] = []): CommandFailure {
  if (error instanceof CommandFailure) {
    return error;
  }
  if (told.length > 0) {
    return new CommandFailure([...new Set(told)].join("\n"));
  }
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const [, ...found] = text.split(/^error: /m);
  const messages = found.map((each) => each.trimEnd().split("\n").slice(0, MOST_LINES).join("\n"));
  return new CommandFailure(messages.length === 0 ? text : [...new Set(messages)].join("\n"));
}
