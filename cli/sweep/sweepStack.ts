import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import type { ApplyOptions } from "../repair/repairStack";
import { shownStack } from "../engine/shownStack";
import { tagVolumes } from "./tagVolumes";
import { lookForMade } from "./lookForMade";
import { machinesFirst } from "./machinesFirst";
import type { Sweep } from "./planSweep";
import { removeFound } from "./removeFound";
import { sweepState } from "./sweepState";

/** What is removed besides load balancers and groups, and how the engine's output is shown. */
export interface SweepOptions extends ApplyOptions {
  /** Whether volumes and snapshots are removed. */
  readonly withData: boolean;
  /** Gets a message before each step. */
  readonly onStep: (step: string) => void;
}

/**
 * Removes what controllers created. The machines are deleted first, because running controllers
 * would recreate what is removed, and because volumes are attached to them. Then everything found
 * is removed, including what was created since. The rest of the stack still exists, so after a
 * killed run the state still names the clusters.
 *
 * @param exported the stack, with its secrets in clear
 */
export async function sweepStack(
  stack: Stack,
  exported: Deployment,
  sweeps: readonly Sweep[],
  { withData, onStep, ...options }: SweepOptions,
): Promise<void> {
  const target = [...machinesFirst(exported)];
  if (target.length > 0) {
    if (withData) {
      await tagVolumes(stack, exported, sweeps);
    }
    onStep(
      "Deleting the machines first, because controllers on them would recreate what is removed.",
    );
    await shownStack(stack).destroy({ ...options, target, targetDependents: true });
  }
  // After the machines are deleted, the state may no longer name all clusters.
  const clusters = sweeps.map(({ cluster }) => cluster);
  const state = sweepState(exported, await lookForMade(stack, exported, clusters), { withData });
  onStep("Deleting what controllers in the cluster created:");
  await removeFound(stack, state, options);
}
