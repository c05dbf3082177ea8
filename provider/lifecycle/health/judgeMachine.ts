import type { ServiceStatus } from "../../api/talosClient";
import type { MachineStatusSpec } from "../../api/talosResources";
import { judgeNodeAddresses } from "./judgeNodeAddresses";
import { type ContainerCrash, judgeStaticPods, type StaticPodVerdict } from "./judgeStaticPods";
import type { MachineFacts } from "./machineFacts";

/** The reasons why a machine isn't healthy, as ends of sentences. */
export interface MachineVerdict {
  /** Services and static pods that the configuration restarts and that aren't up again. */
  readonly problems: readonly string[];
  /** What else Talos reports as missing, for example that the node isn't ready. */
  readonly unmet: readonly string[];
  /** Pods that may not need a restart: see `StaticPodVerdict.unseen`. */
  readonly unseen: readonly string[];
  /** What may have been wrong already before the configuration changed. */
  readonly doubts: readonly string[];
  /** What Talos has not derived from what is configured; also among the problems. */
  readonly unrendered: readonly string[];
  /** How containers of static pods have ended that don't run. */
  readonly crashes: readonly ContainerCrash[];
  /** Changes when one of them was restarted. */
  readonly starts: string;
}

/** The services of Talos that every machine has, and those of the control plane. */
const SERVICES = ["apid", "kubelet"];
const CONTROL_PLANE_SERVICES = ["trustd", "etcd"];

/** The verdict of a worker: Talos can't ask its kubelet. */
const NO_PODS: StaticPodVerdict = {
  unrendered: [],
  problems: [],
  unseen: [],
  crashes: [],
  starts: "",
};

/**
 * Judges a machine by its own facts. A part that was started before the last change of its
 * configuration doesn't count as healthy. The kubelet checks for new static pods only every 20 s,
 * and reports the old ones as ready until then. Nor does one that Talos has not rendered from it.
 * Source: Talos v1.12.1, controllers `runtime.MachineStatusController`,
 * `k8s.KubeletServiceController`, `k8s.KubeletStaticPodController`.
 */
export function judgeMachine(facts: MachineFacts): MachineVerdict {
  const { status, services } = facts;
  const isControlPlane = services.some(({ id }) => id === "etcd");
  const names = isControlPlane ? [...SERVICES, ...CONTROL_PLANE_SERVICES] : SERVICES;
  const pods = isControlPlane ? judgeStaticPods(facts) : NO_PODS;
  const kubeletStart = lastStart(services.find(({ id }) => id === "kubelet"));
  const { config, chosen } = facts.nodeAddresses;
  const unrendered = [
    ...pods.unrendered,
    ...judgeKubeletSpec(facts),
    ...judgeNodeAddresses(config, chosen),
  ];
  return {
    problems: [
      ...(status.stage === "running" ? [] : [`it is ${status.stage}`]),
      ...names.flatMap((id) =>
        judgeService(
          id,
          services.find((service) => service.id === id),
        ),
      ),
      ...unrendered,
      ...judgeKubeletStart(facts, kubeletStart),
      ...pods.problems,
    ],
    unmet: describeUnmet(status),
    unseen: pods.unseen,
    doubts: [],
    unrendered,
    crashes: pods.crashes,
    starts: `${kubeletStart ?? ""} ${pods.starts}`,
  };
}

/** Talos' reasons why a machine isn't ready. */
export function describeUnmet({ ready, unmetConditions }: MachineStatusSpec): string[] {
  return ready
    ? []
    : unmetConditions.map(({ name, reason }) => `it is not ready: ${name}: ${reason}`);
}

function judgeService(id: string, service: ServiceStatus | undefined): string[] {
  if (service?.state === "Running") {
    if (service.healthy) {
      return [];
    }
    const reason = service.lastMessage;
    return [`${id} is not healthy${reason === "" ? "" : `: ${reason}`}`];
  }
  // The message of its last event says what it waits for, or what failed.
  const message = service?.events.at(-1)?.message ?? "";
  const state = service?.state ?? "absent";
  return [`${id} is ${state}${message === "" ? "" : `: ${message}`}`];
}

function judgeKubeletSpec({ kubeletImages: { wanted, started } }: MachineFacts): string[] {
  return wanted === undefined || started === wanted
    ? []
    : ["Talos has not rendered the kubelet's new configuration"];
}

function judgeKubeletStart({ kubeletSpecAt }: MachineFacts, start: string | undefined): string[] {
  return kubeletSpecAt === undefined ||
    start === undefined ||
    Date.parse(start) >= Date.parse(kubeletSpecAt)
    ? []
    : ["the kubelet has not restarted with its new configuration yet"];
}

/** When a service last started to run. */
function lastStart(service: ServiceStatus | undefined): string | undefined {
  const events = service?.events ?? [];
  return events.filter(({ state }) => state === "Running").at(-1)?.at;
}
