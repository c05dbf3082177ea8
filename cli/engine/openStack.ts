import { LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { findEngine } from "./findEngine";
import { findProject } from "./findProject";

/**
 * A stack of the project in a folder, with the user's own backend and environment. Whether it
 * exists shows when it is asked; the stack that is selected in the folder stays that.
 *
 * @throws CommandFailure when there is no project, or no engine that can be used
 */
export async function openStack(name: string, folder: string): Promise<Stack> {
  const workDir = findProject(folder);
  const pulumiCommand = await findEngine();
  const workspace = await LocalWorkspace.create({ workDir, pulumiCommand });
  // Selecting one would change what the user's next `pulumi` command is about.
  workspace.selectStack = () => Promise.resolve();
  return Stack.select(name, workspace);
}
