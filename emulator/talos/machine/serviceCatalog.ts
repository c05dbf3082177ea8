import { logStamp } from "../runtime/logBook";
import type { ServiceBoard } from "./serviceBoard";

/** An action on a service through the API. */
export type ServiceAction = "start" | "stop" | "restart";

/** How a service of a Talos node starts. */
export interface ServiceRecipe {
  readonly id: string;
  /** What it waits for, as its event says; absent without an event. */
  readonly waitsFor?: string;
  /** Services that must be up before it starts, and that stop after it. */
  readonly dependsOn: readonly string[];
  /**
   * How it runs: a goroutine of machined, a container, a process with these arguments, or the first process of the
   * namespace that isolates workloads.
   */
  readonly runner: "goroutine" | "container" | "sandbox" | readonly string[];
  /** Only the dashboard has no health check. */
  readonly unchecked?: true;
  /** The actions that the API allows; most services allow none. */
  readonly viaApi?: readonly ServiceAction[];
}

/**
 * Services of a Talos node in cloud mode (talos v1.12.1, `system/services`; texts of events as
 * observed on a node).
 */
export const serviceRecipes = {
  udevd: {
    id: "udevd",
    dependsOn: [],
    runner: ["/sbin/systemd-udevd", "--resolve-names=never"],
  },
  machined: { id: "machined", dependsOn: [], runner: "goroutine" },
  auditd: { id: "auditd", dependsOn: [], runner: "goroutine" },
  syslogd: {
    id: "syslogd",
    waitsFor: 'service "machined" to be "up"',
    dependsOn: ["machined"],
    runner: "goroutine",
  },
  containerd: {
    id: "containerd",
    dependsOn: [],
    runner: [
      "/bin/containerd",
      "--address",
      "/system/run/containerd/containerd.sock",
      "--state",
      "/system/run/containerd",
      "--root",
      "/system/var/lib/containerd",
    ],
  },
  dashboard: {
    id: "dashboard",
    waitsFor: 'service "machined" to be "up", file "/system/run/machined/machine.sock" to exist',
    dependsOn: ["machined"],
    runner: ["/sbin/dashboard"],
    unchecked: true,
  },
  apid: {
    id: "apid",
    waitsFor: 'service "containerd" to be "up", api certificates',
    dependsOn: ["containerd"],
    runner: "container",
  },
  /** Only where workloads are isolated. Source: talos v1.14.1, `services/sandboxd.go`, `sandboxd/runner.go`. */
  sandboxd: { id: "sandboxd", dependsOn: [], runner: "sandbox" },
  cri: {
    id: "cri",
    waitsFor:
      "volumes /var/lib, /var/lib/cni, /var/lib/containerd, /var/run, /var/run/lock, /etc/cni, /etc/kubernetes, /usr/libexec/kubernetes, /opt to be mounted, network",
    dependsOn: [],
    runner: [
      "/bin/containerd",
      "--address",
      "/run/containerd/containerd.sock",
      "--config",
      "/etc/cri/containerd.toml",
    ],
  },
  trustd: {
    id: "trustd",
    waitsFor: 'service "containerd" to be "up", time sync, network',
    dependsOn: ["containerd"],
    runner: "container",
  },
  etcd: {
    id: "etcd",
    waitsFor:
      'volumes /var/lib, ETCD to be mounted, service "cri" to be "up", time sync, network, etcd spec',
    dependsOn: ["cri"],
    runner: "container",
  },
  kubelet: {
    id: "kubelet",
    waitsFor:
      'volumes /var/lib, /var/lib/kubelet, /var/log, /var/log/audit, /var/log/containers, /var/log/pods, /var/lib/kubelet/seccomp, /var/lib/kubelet/seccomp/profiles, /var/log/audit/kube, /var/mnt to be mounted, service "cri" to be "up", time sync, network',
    dependsOn: ["cri"],
    runner: "container",
    viaApi: ["start", "restart"],
  },
} as const satisfies Readonly<Record<string, ServiceRecipe>>;

/**
 * The container runtime of a machine that isolates workloads: it runs in the sandbox.
 * Source: talos v1.14.1, `services/cri.go`, `DependsOn`; `system/service_runner.go`, the order of what it waits for.
 */
export const isolatedCri: ServiceRecipe = {
  ...serviceRecipes.cri,
  waitsFor: serviceRecipes.cri.waitsFor.replace(
    /, network$/,
    ', service "sandboxd" to be "up", network',
  ),
  dependsOn: [serviceRecipes.sandboxd.id],
};

/** The recipe of a service; undefined for an unknown one. */
export function recipeOf(id: string): ServiceRecipe | undefined {
  return Object.values(serviceRecipes).find((recipe) => recipe.id === id);
}

/** Records that a service was started and waits for its dependencies. */
export function beginStart(services: ServiceBoard, { id, waitsFor }: ServiceRecipe): void {
  services.transition(id, "Starting", "Starting service");
  if (waitsFor !== undefined) {
    services.transition(id, "Waiting", `Waiting for ${waitsFor}`);
  }
}

/** Records that a service with all dependencies has started. */
export function finishStart(services: ServiceBoard, recipe: ServiceRecipe): void {
  const { id, unchecked } = recipe;
  services.transition(id, "Preparing", "Running pre state");
  services.transition(id, "Preparing", "Creating service runner");
  services.transition(id, "Running", startedText(recipe));
  if (unchecked === undefined) {
    services.checked(id);
  }
}

/** Starts a service. */
export function startService(services: ServiceBoard, recipe: ServiceRecipe): void {
  beginStart(services, recipe);
  finishStart(services, recipe);
}

/** Stops a service that has not finished. */
export function stopService(services: ServiceBoard, recipe: ServiceRecipe): void {
  const { id } = recipe;
  const state = services.find(id)?.state;
  if (state === undefined || isOver(state)) {
    return;
  }
  if (state !== "Running") {
    services.transition(id, "Failed", "Condition failed: context canceled");
    return;
  }
  services.transition(id, "Stopping", stoppingText(recipe));
  services.transition(id, "Finished", "Service finished successfully");
}

/** Stops services and everything that depends on them, dependents first. */
export function stopWithDependents(services: ServiceBoard, ids: readonly string[]): void {
  for (const { id } of services.list()) {
    if (ids.includes(id)) {
      continue;
    }
    const dependsOn = recipeOf(id)?.dependsOn ?? [];
    if (dependsOn.some((dependency) => ids.includes(dependency))) {
      stopWithDependents(services, [id]);
    }
  }
  for (const id of ids) {
    const recipe = recipeOf(id);
    if (recipe) {
      stopService(services, recipe);
    }
  }
}

/** A process id that is derived from the service. */
export function pidOf(id: string): number {
  if (recipeOf(id)?.runner === "goroutine") {
    return 1;
  }
  return 1000 + Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) % 30000, 7);
}

function isOver(state: string): boolean {
  return state === "Finished" || state === "Failed" || state === "Skipped";
}

/** The event of a service that runs. */
export function startedText(recipe: ServiceRecipe): string {
  const { id, runner } = recipe;
  if (runner === "goroutine") {
    return "Service started as goroutine";
  }
  if (runner === "container") {
    return `Started task ${id} (PID ${pidOf(id)}) for container ${id}`;
  }
  if (runner === "sandbox") {
    return `${id} started with PID ${pidOf(id)}`;
  }
  return `Process ${processOf(runner)} started with PID ${pidOf(id)}`;
}

function stoppingText(recipe: ServiceRecipe): string {
  switch (recipe.runner) {
    case "goroutine":
      return "Service stopping";
    case "sandbox":
      return `Sending SIGKILL to ${recipe.id}`;
    default:
      return `Sending SIGTERM to ${taskOf(recipe)}`;
  }
}

function taskOf({ id, runner }: ServiceRecipe): string {
  return typeof runner === "object"
    ? processOf(runner)
    : `task ${id} (PID ${pidOf(id)}, container ${id})`;
}

/** Arguments in Go's notation of a list of strings. */
function processOf(args: readonly string[]): string {
  return `Process([${args.map((arg) => JSON.stringify(arg)).join(" ")}])`;
}

/** The first log line of a service, in its own format; machined has its own log. */
export function startLogLine(id: string, at: Date): string | undefined {
  const time = at.toISOString();
  switch (id) {
    case "etcd":
      return JSON.stringify({ level: "info", ts: time, msg: "starting etcd" });
    case "kubelet":
      return JSON.stringify({ ts: at.getTime(), v: 0, msg: "Kubelet version" });
    case "containerd":
    case "cri":
      return JSON.stringify({ level: "info", msg: "starting containerd", time });
    case "apid":
    case "trustd":
      return `${logStamp(at)} starting ${id}`;
    default:
      return recipeOf(id)?.runner === "goroutine" ? undefined : `${logStamp(at)} ${id} started`;
  }
}
