import { createInterface } from "node:readline/promises";
import { CommandFailure } from "./commandFailure";
import { notes } from "./standardStreams";

/**
 * Whether a person agrees to a change, by an option or by typing "yes" on the terminal. Without that, it says that
 * nothing was changed.
 *
 * @throws CommandFailure without a terminal
 */
export async function isAgreed(question: string, yes: boolean): Promise<boolean> {
  const agrees = yes || (await confirm(`${question} Type "yes" to continue:`, "yes"));
  if (!agrees) {
    notes.line("Nothing was changed.");
  }
  return agrees;
}

/**
 * Asks a person to type a word on the terminal.
 *
 * @returns whether the word was typed
 * @throws CommandFailure without a terminal
 */
export async function confirm(question: string, word: string): Promise<boolean> {
  if (!process.stdin.isTTY || !notes.terminal.isInteractive) {
    throw new CommandFailure(
      "there is no terminal for a question: read the preview, then use --yes to continue without one",
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  // Ctrl-C and the end of the input count as answers too.
  lines.once("SIGINT", () => lines.close());
  lines.once("close", () => closed.abort());
  try {
    const answer = await lines.question(`${question} `, { signal: closed.signal });
    return answer.trim() === word;
  } catch (error) {
    if (closed.signal.aborted) {
      notes.line("");
      return false;
    }
    throw error;
  } finally {
    lines.close();
  }
}
