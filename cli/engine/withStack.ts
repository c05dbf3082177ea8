import { type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "./engineFailure";
import { openStack } from "./openStack";

/** Which stack a command is about. */
export interface StackChoice {
  readonly stack: string;
  /** The project's folder, or one in it. */
  readonly cwd: string;
}

/**
 * Works with a stack. Ctrl-C reaches the engine, which ends what it does in its own way: this
 * process waits for that. The signal is aborted when this process alone is told to end.
 *
 * @throws CommandFailure with the engine's reason
 */
export async function withStack<Value>(
  { stack: name, cwd }: StackChoice,
  work: (stack: Stack, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stack = await openStack(name, cwd);
  const interrupt = new AbortController();
  const wait = () => undefined;
  const end = () => interrupt.abort();
  process.on("SIGINT", wait).on("SIGTERM", end).on("SIGHUP", end);
  try {
    return await work(stack, interrupt.signal);
  } catch (error) {
    throw error instanceof StackNotFoundError ? await noSuchStack(stack) : engineFailure(error);
  } finally {
    process.off("SIGINT", wait).off("SIGTERM", end).off("SIGHUP", end);
  }
}

async function noSuchStack(stack: Stack): Promise<CommandFailure> {
  const { workDir } = stack.workspace;
  const others = await stack.workspace.listStacks().catch(() => []);
  const known =
    others.length === 0 ? "" : `; there are ${others.map(({ name }) => `"${name}"`).join(", ")}`;
  return new CommandFailure(
    `there is no stack "${stack.name}" in "${workDir}"${known}: make it with "pulumi stack init ${stack.name}"`,
  );
}
