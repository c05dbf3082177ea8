import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { importState } from "../engine/stateOfStack";
import { shownStack } from "../engine/shownStack";
import type { ApplyOptions } from "../repair/repairStack";
import { besideStack } from "./besideStack";

/**
 * Has the engine delete all that a state holds, by the stack's own AWS provider, with that one's order
 * and waiting. A run that is killed has deleted some of it: the next one asks AWS what is left.
 */
export async function removeFound(
  stack: Stack,
  state: Deployment,
  options: ApplyOptions,
): Promise<void> {
  const nothing = () => Promise.resolve();
  await besideStack(stack, nothing, async (beside, salted) => {
    await importState(beside, salted(state));
    // What is gone meanwhile is nobody's to delete.
    await shownStack(beside).destroy({ ...options, refresh: true });
  });
}
