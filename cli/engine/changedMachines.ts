import type { Stack, StepEventMetadata } from "@pulumi/pulumi/automation";
import { readResources } from "../stackResource";
import { EngineEvents, engineFailure } from "./engineFailure";
import { withoutReports } from "./shownStack";
import { exportState } from "./stateOfStack";

const INSTANCE = "aws:ec2/instance:Instance";

/** Names of machines that are not as the state has them. */
export interface ChangedMachines {
  /** Those that AWS no longer has. */
  readonly lost: readonly string[];
  /** Those with another public address, for example because they were stopped and started. */
  readonly moved: readonly string[];
}

/**
 * The machines of a stack that have changed in AWS. An `up` without a refresh does not ask AWS, so it
 * would not replace lost ones, and would wait for others at their former addresses. The engine asks
 * AWS about the instances alone, and records nothing.
 *
 * @throws StackNotFoundError if the stack does not exist
 * @throws CommandFailure with the engine's errors
 */
export async function findChangedMachines(
  stack: Stack,
  signal: AbortSignal,
): Promise<ChangedMachines> {
  const machines = readResources(await exportState(stack)).filter(({ type }) => type === INSTANCE);
  if (machines.length === 0) {
    return { lost: [], moved: [] };
  }
  const events = new EngineEvents();
  try {
    await withoutReports(stack).previewRefresh({
      target: machines.map(({ urn }) => urn),
      onEvent: events.add,
      color: "never",
      signal,
    });
  } catch (error) {
    throw engineFailure(error, events.all);
  }
  const namesWhere = (isSo: (step: StepEventMetadata) => boolean) => {
    const steps = events.all.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
    const urns = new Set(steps.filter(isSo).map(({ urn }) => urn));
    return machines.filter(({ urn }) => urns.has(urn)).map(({ name }) => name);
  };
  return { lost: namesWhere(({ op }) => op === "delete"), moved: namesWhere(isMoved) };
}

/** A line for each kind of change: what AWS says, and what this run does. */
export function describeChangedMachines({ lost, moved }: ChangedMachines): readonly string[] {
  const then = "this run refreshes the state first, as --refresh does.";
  return [
    ...(lost.length === 0 ? [] : [`AWS no longer has ${lost.join(", ")}: ${then}`]),
    ...(moved.length === 0
      ? []
      : [`AWS has given another public address to ${moved.join(", ")}: ${then}`]),
  ];
}

/** Whether a refresh found an instance at another public address. A stopped one has none. */
function isMoved({ old, new: found }: StepEventMetadata): boolean {
  const [before, now] = [old, found].map((state): unknown => state?.outputs.publicIp);
  return typeof now === "string" && now !== "" && now !== before;
}
