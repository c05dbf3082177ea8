import type { MachineStatusEvent } from "../../../provider/api/gen/machine/MachineStatusEvent";
import type { NodeRecord } from "../kubernetes/kubernetesStore";
import { readinessOf } from "../kubernetes/nodeObject";
import type { Service } from "./serviceBoard";

/** Stages of a machine, as the MachineStatus resource has them. */
export type MachineStage =
  | "booting"
  | "installing"
  | "maintenance"
  | "running"
  | "rebooting"
  | "shutting down"
  | "resetting"
  | "upgrading";

/** Where a machine is and what it lacks to be ready there. */
export interface MachineStatus {
  readonly stage: MachineStage;
  readonly ready: boolean;
  readonly unmetConditions: readonly { readonly name: string; readonly reason: string }[];
}

/** What the status of a configured machine follows from. */
export interface StatusInput {
  readonly stage: MachineStage;
  readonly machineType: "controlplane" | "worker";
  readonly nodename: string;
  readonly services: readonly Service[];
  readonly kubernetesNode: NodeRecord | undefined;
  readonly now: Date;
}

/**
 * The status of a configured machine: while it boots and runs it is ready when its services are
 * healthy and its Kubernetes node is (talos v1.12.1, `runtime.MachineStatusController`).
 */
export function configuredStatus(input: StatusInput): MachineStatus {
  const { stage } = input;
  if (stage !== "booting" && stage !== "running") {
    return { stage, ready: true, unmetConditions: [] };
  }
  const problems = serviceProblems(input.services, input.machineType);
  const node = nodeProblem(input);
  const unmetConditions = [
    ...(problems.length > 0 ? [{ name: "services", reason: problems.join(", ") }] : []),
    ...(node === undefined ? [] : [{ name: "nodeReady", reason: node }]),
  ];
  return { stage, ready: unmetConditions.length === 0, unmetConditions };
}

/** A status as the event that tells of it. */
export function statusEvent({ stage, ready, unmetConditions }: MachineStatus): MachineStatusEvent {
  const stages = {
    booting: "BOOTING",
    installing: "INSTALLING",
    maintenance: "MAINTENANCE",
    running: "RUNNING",
    rebooting: "REBOOTING",
    "shutting down": "SHUTTING_DOWN",
    resetting: "RESETTING",
    upgrading: "UPGRADING",
  } as const;
  return {
    stage: stages[stage],
    status: { ready, unmetConditions: unmetConditions.map((condition) => ({ ...condition })) },
  };
}

function serviceProblems(services: readonly Service[], machineType: "controlplane" | "worker") {
  const required = ["apid", "machined", "kubelet"];
  if (machineType === "controlplane") required.push("etcd", "trustd");
  const running = services.filter(({ state }) => state === "Running");
  return [
    ...running
      .filter(({ health }) => !health.unknown && !health.healthy)
      .map(({ id }) => `${id} not healthy`),
    ...required
      .filter((id) => running.every((service) => service.id !== id))
      .map((id) => `${id} not running`),
  ];
}

function nodeProblem({ nodename, kubernetesNode, now }: StatusInput): string | undefined {
  if (!kubernetesNode) return `node "${nodename}" status is not available yet`;
  return readinessOf(kubernetesNode, now).status === "True"
    ? undefined
    : `node "${nodename}" is not ready`;
}
