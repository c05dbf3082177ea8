import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { engineFailure } from "./engineFailure";

const execute = promisify(execFile);
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * A stack's state with its secrets encrypted. Pulumi's SDK would decrypt them.
 *
 * @throws StackNotFoundError if the stack does not exist
 * @throws CommandFailure with the engine's reason
 */
export async function exportState(stack: Stack): Promise<Deployment> {
  const text = await orNotFound(runEngine(stack, "stack", "export"), () => stack.exportStack());
  return JSON.parse(text) as Deployment;
}

/**
 * A stack's outputs in clear. Pulumi's SDK would start the engine twice, to learn which are secret.
 *
 * @throws StackNotFoundError if the stack does not exist
 * @throws CommandFailure with the engine's reason
 */
export async function readOutputs(stack: Stack): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(
    await orNotFound(runEngine(stack, "stack", "output", "--json", "--show-secrets"), () =>
      stack.outputs(),
    ),
  ) as Readonly<Record<string, unknown>>;
}

/**
 * Replaces a stack's state. Pulumi's SDK would write it into a file that all users of this computer
 * can read.
 *
 * @throws CommandFailure with the engine's reason, for example that another run uses the stack
 */
export async function importState(stack: Stack, state: Deployment): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "talos-aws-"));
  try {
    const file = join(folder, "state.json");
    await writeFile(file, JSON.stringify(state), { mode: 0o600 });
    await runEngine(stack, "stack", "import", "--file", file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The engine's answer about a stack.
 *
 * @param bySdk the same by Pulumi's SDK. For a stack that does not exist it throws the error that
 *   callers expect
 */
async function orNotFound(answer: Promise<string>, bySdk: () => Promise<unknown>): Promise<string> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.message.includes("no stack named")) {
      await bySdk();
    }
    throw error;
  }
}

async function runEngine({ name, workspace }: Stack, ...args: string[]): Promise<string> {
  const { pulumiCommand, workDir, envVars, pulumiHome } = workspace;
  try {
    const { stdout } = await execute(
      pulumiCommand.command,
      [...args, "--stack", name, "--non-interactive"],
      {
        cwd: workDir,
        env: {
          ...process.env,
          ...(pulumiHome !== undefined && { PULUMI_HOME: pulumiHome }),
          ...envVars,
        },
        maxBuffer: MOST_BYTES,
      },
    );
    return stdout;
  } catch (error) {
    throw engineFailure(error);
  }
}
