import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LocalWorkspace, PulumiCommand, Stack } from "@pulumi/pulumi/automation";
import { messageOfError } from "../../provider/base";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "./engineFailure";

/**
 * The number of concurrent operations of the engine. Its default is four per processor. But nearly
 * all of ours wait for AWS or for machines, and each would keep the next from starting. Source:
 * pulumi v3.230.0, `defaultParallel` of cmd/pulumi/operations/up.go, which PULUMI_PARALLEL
 * overrides.
 */
const PARALLEL = "100";

/**
 * A stack of the project in a folder, with the user's own backend and environment. Whether it
 * exists is only known at the first operation. The selected stack of the folder does not change.
 *
 * @throws CommandFailure without a project or a usable engine
 */
export async function openStack(name: string, folder: string): Promise<Stack> {
  const workDir = findProject(folder);
  const pulumiCommand = await findEngine();
  const workspace = await LocalWorkspace.create({
    workDir,
    pulumiCommand,
    envVars: { PULUMI_PARALLEL: process.env.PULUMI_PARALLEL ?? PARALLEL },
  });
  // Selecting a stack would change the target of the user's next `pulumi` command.
  workspace.selectStack = () => Promise.resolve();
  return Stack.select(name, workspace);
}

/**
 * The engine: the command `pulumi` on PATH.
 *
 * @throws CommandFailure without a usable one
 */
export function findEngine(): Promise<PulumiCommand> {
  return PulumiCommand.get().catch((error: unknown) => {
    const text = messageOfError(error);
    const reason = text.includes("ENOENT") ? "it is not on PATH" : engineFailure(error).message;
    throw new CommandFailure(
      `the command "pulumi" can't be run: ${reason}. Install Pulumi: https://www.pulumi.com/docs/install/`,
    );
  });
}

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/**
 * The folder of the Pulumi project that contains a folder.
 *
 * @throws CommandFailure without a project
 */
export function findProject(folder: string): string {
  const start = resolve(folder);
  for (let current = start; ; current = dirname(current)) {
    if (PROJECT_FILES.some((name) => existsSync(join(current, name)))) {
      return current;
    }
    if (dirname(current) === current) {
      throw new CommandFailure(
        `there is no Pulumi project in "${start}" or above it: go to the folder with Pulumi.yaml, or name it with --cwd`,
      );
    }
  }
}
