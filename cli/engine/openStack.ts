import { LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { findEngine } from "./findEngine";
import { findProject } from "./findProject";

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
