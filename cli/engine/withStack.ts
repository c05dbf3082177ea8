import { type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";
import { hintFor } from "../fileBackend/mendBackend";
import { engineFailure } from "./engineFailure";
import { openStack } from "./openStack";

export interface StackChoice {
  readonly stack: string;
  /** The project's folder, or a folder in it. */
  readonly cwd: string;
}

/**
 * Runs work with a stack, interruptible like `withInterrupt`.
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
    throw error instanceof StackNotFoundError
      ? await noSuchStack(stack)
      : await withDamage(stack, engineFailure(error));
  }
}

/**
 * What the engine says if it can't read a file of its backend, or finds a lock. Tried with pulumi v3.230.0
 * and v3.274.1: docs/state.md has the messages.
 */
const UNREADABLE =
  /failed to load checkpoint|corrupt store|meta\.yaml"|stack is currently locked|^EOF$|^unexpected end of JSON input$/m;

/** A failure with what has damaged the backend, if the engine's reason is such. */
async function withDamage(stack: Stack, failure: CommandFailure): Promise<CommandFailure> {
  const { message, exitCode } = failure;
  const hint = UNREADABLE.test(message) ? await hintFor(stack) : undefined;
  return hint === undefined ? failure : new CommandFailure(`${message}\n${hint}`, exitCode);
}

async function noSuchStack(stack: Stack): Promise<CommandFailure> {
  const { workDir } = stack.workspace;
  const others = await stack.workspace.listStacks().catch(() => []);
  const known =
    others.length === 0
      ? ""
      : `; existing stacks: ${others.map(({ name }) => `"${name}"`).join(", ")}`;
  return new CommandFailure(
    `there is no stack "${stack.name}" in "${workDir}"${known}: create it with "pulumi stack init ${stack.name}"`,
  );
}

/**
 * Runs work with the engine. Ctrl-C reaches the engine too, which stops in its own way, and this
 * process waits for that. The signal is aborted only if this process alone gets a signal to stop.
 */
export async function withInterrupt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const interrupt = new AbortController();
  const wait = () => undefined;
  const end = () => interrupt.abort();
  process.on("SIGINT", wait).on("SIGTERM", end).on("SIGHUP", end);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off("SIGINT", wait).off("SIGTERM", end).off("SIGHUP", end);
  }
}
