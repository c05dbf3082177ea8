import { Command } from "commander";

/** What every command on a stack is given. */
export interface StackOptions {
  readonly cwd: string;
}

/** A command whose first argument is a stack; it has the options that all of them have. */
export function stackCommand(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .argument("<stack>", "name of the stack")
    .option("-C, --cwd <folder>", "folder of the Pulumi project, or one in it", ".");
}
