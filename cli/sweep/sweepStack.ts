import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { talosKind } from "../../provider/engine";
import { dependents } from "../dependents";
import { shownStack } from "../engine/shownStack";
import { importState } from "../engine/stateOfStack";
import { recordedStack } from "../repair/pendingOperations";
import type { ApplyOptions } from "../repair/repairStack";
import { machinesOf } from "./launchedMachines";
import { lookForMade } from "./lookForMade";
import type { Sweep } from "./planSweep";
import { sweepState } from "./sweepState";
import { tagVolumes } from "./tagVolumes";
import { withTemporaryStack } from "./withTemporaryStack";

/** What is removed besides load balancers and groups, and how the engine's output is shown. */
export interface SweepOptions extends ApplyOptions {
  /** Whether only machines are removed, those that the stack's own Karpenter launched. */
  readonly onlyMachines: boolean;
  /** Whether volumes and snapshots are removed. */
  readonly withData: boolean;
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
  { onlyMachines, withData, onStep, ...options }: SweepOptions,
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
  const found = await lookForMade(stack, exported, clusters);
  const removed = onlyMachines ? found.map(machinesOf) : found;
  const state = sweepState(exported, removed, { withData });
  onStep("Deleting what controllers in the cluster created:");
  await removeFound(stack, state, options);
}

/**
 * Has the engine delete all resources of a state, with the stack's own AWS provider, in its order
 * and with its waits. A killed run has deleted some of them; the next one asks AWS for the rest.
 */
async function removeFound(stack: Stack, state: Deployment, options: ApplyOptions): Promise<void> {
  const nothing = () => Promise.resolve();
  await withTemporaryStack(stack, nothing, async (beside, salted) => {
    await importState(beside, salted(state));
    // Resources that were deleted meanwhile are skipped.
    await shownStack(beside).destroy({ ...options, refresh: true });
  });
}

const MACHINES: ReadonlySet<string> = new Set([
  "aws:autoscaling/group:Group",
  "aws:ec2/instance:Instance",
]);

/**
 * The URNs of a stack's machines, its clusters' secrets, and everything that depends on them. They
 * are deleted first, because running controllers would recreate what is removed. Pure.
 *
 * @returns an empty list without a recorded machine
 */
export function machinesFirst(exported: Deployment): readonly string[] {
  const { resources } = recordedStack(exported);
  return resources.some(({ type }) => MACHINES.has(type))
    ? [...dependents(resources, ({ type }) => MACHINES.has(type) || isSecrets(type))]
    : [];
}

/** Their deletion marks the whole cluster as deleted, so no machine is asked to leave etcd. */
function isSecrets(type: string): boolean {
  return talosKind(type) === "MachineSecrets";
}
