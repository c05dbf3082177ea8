import { Command } from "commander";

export interface StackOptions {
  readonly cwd: string;
}

/** A command whose first argument is a stack, with the options of all such commands. */
export function stackCommand(
  name: string,
  summary: string,
  { isForSeveral = false }: { readonly isForSeveral?: boolean } = {},
): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .argument(isForSeveral ? "<stack...>" : "<stack>", "name of the stack")
    .option("-C, --cwd <folder>", "folder of the Pulumi project, or a folder in it", ".");
}
