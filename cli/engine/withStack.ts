import { type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "./engineFailure";
import { openStack } from "./openStack";
import { withInterrupt } from "./withInterrupt";

/** Which stack a command is about. */
export interface StackChoice {
  readonly stack: string;
  /** The project's folder, or one in it. */
  readonly cwd: string;
}

/**
 * Works with a stack, interruptibly as `withInterrupt` says.
 *
 * @throws CommandFailure with the engine's reason
 */
export async function withStack<Value>(
  { stack: name, cwd }: StackChoice,
  work: (stack: Stack, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stack = await openStack(name, cwd);
  try {
    return await withInterrupt((signal) => work(stack, signal));
  } catch (error) {
    throw error instanceof StackNotFoundError ? await noSuchStack(stack) : engineFailure(error);
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
