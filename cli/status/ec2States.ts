import type { Stack } from "@pulumi/pulumi/automation";
import { isStoppedState, startCommand } from "../../components/machines";
import { askAboutInstances } from "../engine/instanceStates";
import { exportState } from "../engine/stateOfStack";
import { readResources } from "../stackResource";
import type { ClusterStatus, MachineStatus } from "./clusterStatus";

const INSTANCE = "aws:ec2/instance:Instance";

/** States by instance id, as EC2 has them, for example `stopped`; `terminated` if it has none. */
export type Ec2States = ReadonlyMap<string, string>;

/** Ids of the instances that don't answer; those of auto scaling groups are not in the state. */
export function silentInstances({ machines }: ClusterStatus): readonly string[] {
  return machines.flatMap(({ stage, instanceId }) =>
    stage === undefined && instanceId !== undefined ? [instanceId] : [],
  );
}

/**
 * Asks EC2 for the states of instances.
 *
 * @throws CommandFailure without credentials for AWS
 */
export async function readEc2States(stack: Stack, ids: readonly string[]): Promise<Ec2States> {
  const instances = readResources(await exportState(stack)).filter(
    ({ type, id }) => type === INSTANCE && ids.includes(id),
  );
  if (instances.length === 0) {
    return new Map();
  }
  const urns = instances.map(({ urn }) => urn);
  const steps = await askAboutInstances(stack, urns, undefined);
  return new Map(
    instances.flatMap(({ urn, id }) => {
      const step = steps.get(urn);
      const state: unknown =
        step?.op === "delete" ? "terminated" : step?.new?.outputs.instanceState;
      return typeof state === "string" ? [[id, state] as const] : [];
    }),
  );
}

/** A status whose silent machines say what EC2 says of them, and what to do. */
export function withEc2States(status: ClusterStatus, states: Ec2States): ClusterStatus {
  return {
    ...status,
    machines: status.machines.map((machine) => {
      const state = states.get(machine.instanceId ?? "");
      return machine.stage !== undefined || state === undefined
        ? machine
        : { ...machine, ec2State: state, problems: problemsOf(machine, state, status.stack) };
    }),
  };
}

function problemsOf(
  { instanceId = "", problems }: MachineStatus,
  state: string,
  stack: string,
): readonly string[] {
  if (isStoppedState(state)) {
    const refresh = `"talos-aws up ${stack}" then follows its new address`;
    return [`it is ${state} in EC2: start it with ${startCommand([{ instanceId }])}; ${refresh}`];
  }
  if (state === "terminated") {
    return [`AWS no longer has it: "talos-aws up ${stack}" makes another machine in its place`];
  }
  return [
    ...problems,
    `EC2 says that it is ${state}: "aws ec2 describe-instance-status --instance-ids ${instanceId}" says whether its host or its system is impaired`,
  ];
}
