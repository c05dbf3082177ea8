import { LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { findEngine } from "./findEngine";
import { findProject } from "./findProject";

/**
 * How much the engine does at once. By itself it does four things a processor, and nearly all of ours is
 * waiting: for AWS, and for machines, each of which would keep the next from starting. Source: pulumi
 * v3.230.0, `defaultParallel` of cmd/pulumi/operations/up.go, which PULUMI_PARALLEL overrides.
 */
const PARALLEL = "100";

/**
 * A stack of the project in a folder, with the user's own backend and environment. Whether it
 * exists shows when it is asked; the stack that is selected in the folder stays that.
 *
 * @throws CommandFailure when there is no project, or no engine that can be used
 */
export async function openStack(name: string, folder: string): Promise<Stack> {
  const workDir = findProject(folder);
  const pulumiCommand = await findEngine();
  const workspace = await LocalWorkspace.create({
    workDir,
    pulumiCommand,
    envVars: { PULUMI_PARALLEL: process.env.PULUMI_PARALLEL ?? PARALLEL },
  });
  // Selecting one would change what the user's next `pulumi` command is about.
  workspace.selectStack = () => Promise.resolve();
  return Stack.select(name, workspace);
}
