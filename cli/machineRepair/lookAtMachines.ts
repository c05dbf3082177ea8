import type { Stack } from "@pulumi/pulumi/automation";
import { clusterOutputs } from "../engine/clusterOutputs";
import { exportState, readOutputs } from "../engine/stateOfStack";
import { recordedStack } from "../repair/pendingOperations";
import { clusterAccess } from "../status/clusterAccess";
import { accountOfStack } from "./awsAccount";
import { type MachineRepairPlan, planMachineRepair, type RepairBudget } from "./planMachineRepair";
import { type FactSources, poolsOf, readClusterFacts } from "./readClusterFacts";

/**
 * Reads from a stack how to ask about its machines.
 *
 * @param cluster name of the output with the cluster, if the stack has several
 * @throws CommandFailure if the stack has no cluster
 */
export async function openSources(
  stack: Stack,
  cluster: string | undefined,
  signal: AbortSignal,
): Promise<FactSources> {
  const outputs = clusterOutputs(stack.name, await readOutputs(stack), cluster);
  const { resources } = recordedStack(await exportState(stack));
  return {
    access: clusterAccess(stack.name, outputs),
    pools: poolsOf(outputs),
    aws: await accountOfStack(stack, resources, signal),
    resources,
  };
}

/**
 * Looks at all workers, and plans.
 *
 * @throws CommandFailure if AWS refuses a question
 */
export async function lookAtMachines(
  sources: FactSources,
  budget: RepairBudget,
  now: Date,
  signal: AbortSignal,
): Promise<{ readonly plan: MachineRepairPlan; readonly isKnown: boolean }> {
  const facts = await readClusterFacts(sources, signal);
  return { plan: planMachineRepair(facts, budget, now), isKnown: facts.isKnown };
}
