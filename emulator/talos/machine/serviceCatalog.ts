import type { ServiceBoard } from "./serviceBoard";

/** How a service of a Talos node comes up. */
interface ServiceRecipe {
  readonly id: string;
  /** What it waits for, in the words of its event; nothing to wait for, no event. */
  readonly waitsFor?: string;
  /** A goroutine of machined, a container, or the process with this executable. */
  readonly runner: "goroutine" | "container" | { readonly executable: string };
  /** dashboard alone has no health check. */
  readonly unchecked?: true;
}

/** Services a node has with and without a configuration (talos v1.12.1, cloud mode). */
const base: readonly ServiceRecipe[] = [
  { id: "containerd", runner: { executable: "/bin/containerd" } },
  { id: "machined", runner: "goroutine" },
  { id: "syslogd", waitsFor: 'service "machined" to be "up"', runner: "goroutine" },
  { id: "auditd", runner: "goroutine" },
  {
    id: "dashboard",
    waitsFor: 'service "machined" to be "up", file "/system/run/machined/machine.sock" to exist',
    runner: { executable: "/sbin/dashboard" },
    unchecked: true,
  },
  { id: "udevd", runner: { executable: "/usr/bin/systemd-udevd" } },
];

const configured: readonly ServiceRecipe[] = [
  {
    id: "apid",
    waitsFor: 'service "containerd" to be "up", api certificates',
    runner: "container",
  },
  { id: "cri", waitsFor: "network", runner: { executable: "/bin/containerd" } },
  {
    id: "kubelet",
    waitsFor: 'service "cri" to be "up", time sync, network',
    runner: "container",
  },
];

const controlPlane: readonly ServiceRecipe[] = [
  {
    id: "trustd",
    waitsFor: 'service "containerd" to be "up", time sync, network',
    runner: "container",
  },
];

/** Brings up what a node without a configuration runs. */
export function startMaintenanceServices(services: ServiceBoard): void {
  for (const recipe of base) start(services, recipe);
}

/** Brings up what a configured node runs, without etcd, which has a life of its own. */
export function startConfiguredServices(
  services: ServiceBoard,
  machineType: "controlplane" | "worker",
): void {
  const all = [...base, ...configured, ...(machineType === "controlplane" ? controlPlane : [])];
  for (const recipe of all) start(services, recipe);
}

/** The event of a container that was started. */
export function containerStarted(id: string): string {
  return `Started task ${id} (PID ${pidOf(id)}) for container ${id}`;
}

function start(services: ServiceBoard, recipe: ServiceRecipe): void {
  const { id, runner } = recipe;
  services.transition(id, "Starting", "Starting service");
  if (recipe.waitsFor !== undefined) {
    services.transition(id, "Waiting", `Waiting for ${recipe.waitsFor}`);
  }
  services.transition(id, "Preparing", "Running pre state");
  services.transition(id, "Preparing", "Creating service runner");
  if (runner === "goroutine") services.transition(id, "Running", "Service started as goroutine");
  else if (runner === "container") services.transition(id, "Running", containerStarted(id));
  else {
    const process = `Process(["${runner.executable}"])`;
    services.transition(id, "Running", `Process ${process} started with PID ${pidOf(id)}`);
  }
  if (recipe.unchecked === undefined) services.checked(id);
}

/** A process id that is the same each time for the same service. */
function pidOf(id: string): number {
  return 1000 + Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) % 30000, 7);
}
