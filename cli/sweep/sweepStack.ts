import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import type { ApplyOptions } from "../repair/repairStack";
import { shownStack } from "../engine/shownStack";
import { claimData } from "./claimData";
import { lookForMade } from "./lookForMade";
import { machinesFirst } from "./machinesFirst";
import type { Sweep } from "./planSweep";
import { removeFound } from "./removeFound";
import { sweepState } from "./sweepState";

/** What is removed besides load balancers and groups, and how the engine tells of it. */
export interface SweepOptions extends ApplyOptions {
  /** Whether volumes and snapshots are removed. */
  readonly withData: boolean;
  /** Told what is done next. */
  readonly onStep: (step: string) => void;
}

/**
 * Removes what controllers made. The machines go first, as controllers that run make anew what is removed,
 * and as they hold volumes; then what was found, and what was made since. What the stack has made else
 * is still there then: who was killed finds the clusters in the state again.
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
      await claimData(stack, exported, sweeps);
    }
    onStep("The machines go first: controllers on them would make anew what is removed.");
    await shownStack(stack).destroy({ ...options, target, targetDependents: true });
  }
  // Of what the machines' end leaves in the state not all may tell the clusters.
  const clusters = sweeps.map(({ cluster }) => cluster);
  const state = sweepState(exported, await lookForMade(stack, exported, clusters), { withData });
  onStep("Now what controllers in the cluster made:");
  await removeFound(stack, state, options);
}
