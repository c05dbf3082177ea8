import { styleText } from "node:util";
import { CommanderError } from "commander";
import { CommandFailure } from "./commandFailure";
import { commandLine } from "./commandLine";
import { notes } from "./standardStreams";

const USAGE_EXIT_CODE = 2;

/**
 * Runs a command line. Each error becomes one message.
 *
 * @param args without the program's name
 * @returns the exit code: 2 for an invalid command line
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await commandLine().parseAsync(args, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      // The parser has already printed the reason.
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
