import type { MachineStatusEvent } from "../../../provider/api/gen/machine/MachineStatusEvent";
import { isPending, type ContainerStatus } from "../kubernetes/containerStatus";
import { readinessOf } from "../kubernetes/nodeObject";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import type { Service } from "./serviceBoard";

/** Stages of a machine in the MachineStatus resource. */
export type MachineStage =
  | "booting"
  | "installing"
  | "maintenance"
  | "running"
  | "rebooting"
  | "shutting down"
  | "resetting"
  | "upgrading";

/** A machine's stage, and the conditions that it doesn't meet. */
export interface MachineStatus {
  readonly stage: MachineStage;
  readonly ready: boolean;
  readonly unmetConditions: readonly { readonly name: string; readonly reason: string }[];
}

/** The inputs of a configured machine's status. */
export interface StatusInput {
  readonly stage: MachineStage;
  readonly machineType: "controlplane" | "worker";
  readonly nodename: string;
  readonly services: readonly Service[];
  /** As Talos last saw them, by app. */
  readonly staticPods: Readonly<Record<string, ContainerStatus>>;
  readonly kubernetesNode: NodeRecord | undefined;
  readonly now: Date;
}

/**
 * The status of a configured machine. While it boots or runs, it is ready if its services are
 * healthy and its static pods and Kubernetes node are ready (talos v1.12.1,
 * `runtime.MachineStatusController`). Unknown states don't count: a service before its first check,
 * and static pods while the kubelet restarts.
 */
export function configuredStatus(input: StatusInput): MachineStatus {
  const { stage } = input;
  if (stage !== "booting" && stage !== "running") {
    return { stage, ready: true, unmetConditions: [] };
  }
  const problems = serviceProblems(input.services, input.machineType);
  const pods = staticPodProblems(input);
  const node = nodeProblem(input);
  const unmetConditions = [
    ...(problems.length > 0 ? [{ name: "services", reason: problems.join(", ") }] : []),
    ...(pods.length > 0 ? [{ name: "staticPods", reason: pods.join(", ") }] : []),
    ...(node === undefined ? [] : [{ name: "nodeReady", reason: node }]),
  ];
  return { stage, ready: unmetConditions.length === 0, unmetConditions };
}

/** The event of a status. */
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
  if (machineType === "controlplane") {
    required.push("etcd", "trustd");
  }
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

function staticPodProblems({ staticPods, nodename }: StatusInput): string[] {
  return Object.entries(staticPods)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([app, container]) => {
      const id = `kube-system/${app}-${nodename}`;
      if (isPending(container)) {
        return [`${id} pending`];
      }
      return container.ready ? [] : [`${id} not ready`];
    });
}

function nodeProblem({ nodename, kubernetesNode, now }: StatusInput): string | undefined {
  if (!kubernetesNode) {
    return `node "${nodename}" status is not available yet`;
  }
  return readinessOf(kubernetesNode, now).status === "True"
    ? undefined
    : `node "${nodename}" is not ready`;
}
