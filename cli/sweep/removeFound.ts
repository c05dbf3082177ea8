import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { importState } from "../engine/stateOfStack";
import { shownStack } from "../engine/shownStack";
import type { ApplyOptions } from "../repair/repairStack";
import { withTemporaryStack } from "./withTemporaryStack";

/**
 * Has the engine delete all resources of a state, with the stack's own AWS provider, in its order
 * and with its waits. A killed run has deleted some of them; the next one asks AWS for the rest.
 */
export async function removeFound(
  stack: Stack,
  state: Deployment,
  options: ApplyOptions,
): Promise<void> {
  const nothing = () => Promise.resolve();
  await withTemporaryStack(stack, nothing, async (beside, salted) => {
    await importState(beside, salted(state));
    // Resources that were deleted meanwhile are skipped.
    await shownStack(beside).destroy({ ...options, refresh: true });
  });
}
