import type { Stack, StepEventMetadata } from "@pulumi/pulumi/automation";
import {
  describeStopped,
  isStoppedState,
  type StoppedMachine,
  wayToStart,
} from "../../components/machines";
import { said } from "../said";
import { readResources } from "../stackResource";
import { type EtcdMachines, etcdMachinesIn, majorityProblem } from "./etcdMajority";
import { askAboutInstances } from "./instanceStates";
import { exportState } from "./stateOfStack";

const INSTANCE = "aws:ec2/instance:Instance";

export interface ChangedMachines {
  /** Names of those that AWS no longer has. */
  readonly lost: readonly string[];
  /** Names of those with another public address, for example because they were stopped and started. */
  readonly moved: readonly string[];
  /** Names of those that the state has as stopped, and that run again with the address they had. */
  readonly started: readonly string[];
  /** Those that are stopped, whatever the state says. */
  readonly stopped: readonly StoppedMachine[];
  /** The clusters' members of etcd, as the state has them. */
  readonly etcd: readonly EtcdMachines[];
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
  const resources = readResources(await exportState(stack));
  const machines = resources.filter(({ type }) => type === INSTANCE);
  if (machines.length === 0) {
    return { lost: [], moved: [], started: [], stopped: [], etcd: [] };
  }
  const urns = machines.map(({ urn }) => urn);
  const steps = await askAboutInstances(stack, urns, signal);
  const namesWhere = (isSo: (step: StepEventMetadata) => boolean) =>
    machines
      .filter(({ urn }) => {
        const step = steps.get(urn);
        return step !== undefined && isSo(step);
      })
      .map(({ name }) => name);
  return {
    lost: namesWhere(({ op }) => op === "delete"),
    moved: namesWhere(isMoved),
    started: namesWhere((step) => isStarted(step) && !isMoved(step)),
    stopped: machines.flatMap(({ urn, name, id }) => {
      const state: unknown = steps.get(urn)?.new?.outputs.instanceState;
      return isStoppedState(state) ? [{ name, instanceId: id, state }] : [];
    }),
    etcd: etcdMachinesIn(resources),
  };
}

/** Whether a run must refresh the state, to do the right thing about changed machines. */
export function needsRefresh({ lost, moved, started }: ChangedMachines): boolean {
  return lost.length + moved.length + started.length > 0;
}

/** A line for each kind of change: what AWS says, and what this run does. */
export function describeChangedMachines(found: ChangedMachines): readonly string[] {
  const { lost, moved, started, stopped } = found;
  const then = "this run refreshes the state first, as --refresh does.";
  const majority = majorityProblem(found);
  return said(
    lost.length > 0 && `AWS no longer has ${lost.join(", ")}: ${then}`,
    moved.length > 0 && `AWS has given another public address to ${moved.join(", ")}: ${then}`,
    started.length > 0 && `AWS runs ${started.join(", ")} again: ${then}`,
    stopped.length > 0 &&
      `${describeStopped(stopped)} in EC2. Changes that need ${stopped.length === 1 ? "it" : "them"} fail at once. ${wayToStart(stopped)}`,
    majority,
  );
}

/** Whether a refresh found an instance at another public address. A stopped one has none. */
function isMoved({ old, new: found }: StepEventMetadata): boolean {
  const [before, now] = [old, found].map((state): unknown => state?.outputs.publicIp);
  return typeof now === "string" && now !== "" && now !== before;
}

function isStarted({ old, new: found }: StepEventMetadata): boolean {
  const [before, now] = [old, found].map((state): unknown => state?.outputs.instanceState);
  return isStoppedState(before) && now === "running";
}
