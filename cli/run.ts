import { CommanderError } from "commander";
import { CommandFailure } from "./commandFailure";
import { commandLine } from "./commandLine";
import { notes } from "./standardStreams";
import { styleText } from "node:util";

/** What a command line that can't be understood ends with. */
const USAGE_EXIT_CODE = 2;

/**
 * Runs a command line, its errors included: each is one message.
 *
 * @param args without the program's name
 * @returns the exit code: 2 for a command line that can't be understood
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await commandLine().parseAsync(args, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has said why.
      return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    }
    const { message } = error instanceof Error ? error : new Error(String(error));
    const label = notes.terminal.color
      ? styleText("red", "error:", { validateStream: false })
      : "error:";
    notes.line(`${label} ${message}`);
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}
