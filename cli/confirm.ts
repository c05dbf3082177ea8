import { createInterface } from "node:readline/promises";
import { CommandFailure } from "./commandFailure";
import { notes } from "./standardStreams";

/**
 * Asks a person for a word, on the terminal.
 *
 * @returns whether it was given
 * @throws CommandFailure where there is nobody to ask
 */
export async function confirm(question: string, word: string): Promise<boolean> {
  if (!process.stdin.isTTY || !notes.terminal.isInteractive) {
    throw new CommandFailure(
      "there is no terminal to ask on: read the preview, then say --yes to go on without being asked",
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  // Ctrl-C and the end of the input are answers too.
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
