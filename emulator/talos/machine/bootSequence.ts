import { talosMinor } from "../../../provider/config";
import type { SequenceOutcome } from "../runtime/sequencer";
import { phasesOf, plainSequence } from "../runtime/sequences";
import type { Uptime } from "../runtime/uptime";
import { systemOf } from "./installerImage";
import { install, stagedUpgradeTag, type MachineDisk } from "./machineDisk";
import {
  beginStart,
  finishStart,
  isolatedCri,
  recipeOf,
  serviceRecipes,
  startService,
} from "./serviceCatalog";

/** The parts that a boot starts. */
export interface BootTasks {
  readonly uptime: Uptime;
  readonly isControlPlane: boolean;
  /** Whether containers run in a namespace of their own. */
  readonly isolatesWorkloads: boolean;
  /** Starts etcd, which has its own states: it waits for a bootstrap or to join. */
  startEtcd(): void;
  startTrustd(): Promise<void>;
  /** Starts the kubelet. It runs at once, or fails as long as its configuration is bad. */
  startKubelet(): void;
}

/** The steps from power on to the search for a configuration. */
export async function runInitializeSequence(
  uptime: Uptime,
  loadConfig: () => Promise<void>,
): Promise<void> {
  const { services, sequencer } = uptime;
  await sequencer.run({
    name: "initialize",
    phases: phasesOf("initialize", plainSequence),
    perform: async (task) => {
      switch (task) {
        case "startUdevd":
          startService(services, serviceRecipes.udevd);
          break;
        case "startMachined":
          startService(services, serviceRecipes.machined);
          break;
        case "startAuditd":
          startService(services, serviceRecipes.auditd);
          break;
        case "startSyslogd":
          startService(services, serviceRecipes.syslogd);
          break;
        case "startContainerd":
          startService(services, serviceRecipes.containerd);
          break;
        case "startDashboard":
          startService(services, serviceRecipes.dashboard);
          break;
        case "loadConfig":
          await loadConfig();
          break;
      }
    },
  });
}

/**
 * Installs an upgrade that was staged for this boot, if any. The machine has to restart then. Returns false
 * when none was staged.
 */
export async function installStagedUpgrade(uptime: Uptime, disk: MachineDisk): Promise<boolean> {
  const image = disk.meta.get(stagedUpgradeTag);
  const isUpgradeStaged = image !== undefined;
  await uptime.sequencer.run({
    name: "install",
    phases: phasesOf("install", { ...plainSequence, isUpgradeStaged }),
    perform: (task) => {
      if (task !== "install" || image === undefined) {
        return;
      }
      install(disk, systemOf(image));
      disk.meta.delete(stagedUpgradeTag);
    },
  });
  return isUpgradeStaged;
}

/** The steps from a configuration to the last running service. */
export async function runBootSequence(tasks: BootTasks): Promise<SequenceOutcome> {
  const { uptime } = tasks;
  return uptime.sequencer.run({
    name: "boot",
    phases: phasesOf("boot", plainSequence),
    perform: async (task, signal) => {
      if (task !== "startAllServices") {
        return;
      }
      await startAll(tasks);
      const apart = awaitsKubelet(uptime.system.version) ? [] : [serviceRecipes.kubelet.id];
      await allUp(uptime, apart, signal);
    },
  });
}

async function startAll(tasks: BootTasks): Promise<void> {
  const { services } = tasks.uptime;
  if (tasks.isolatesWorkloads) {
    startService(services, serviceRecipes.sandboxd);
  }
  startService(services, tasks.isolatesWorkloads ? isolatedCri : serviceRecipes.cri);
  if (tasks.isControlPlane) {
    beginStart(services, serviceRecipes.trustd);
    tasks.startEtcd();
    await tasks.startTrustd();
    finishStart(services, serviceRecipes.trustd);
  }
  tasks.startKubelet();
}

/** From this minor on, a boot does not wait for the kubelet. Source: talos v1.14.1, `StartAllServices`. */
const FIRST_MINOR_WITHOUT_KUBELET = 14;

/**
 * Whether a boot waits for the kubelet. Since v1.14 `k8s.KubeletServiceController` loads it, and the boot waits for what is
 * loaded: in time it is awaited, later not, and real machines did both. Here never, which is harder for clients.
 */
function awaitsKubelet(talosVersion: string): boolean {
  return (talosMinor(talosVersion) ?? 0) < FIRST_MINOR_WITHOUT_KUBELET;
}

/**
 * Resolves when every service but those `apart` has been up once. Later restarts don't count, such as that of etcd during its
 * bootstrap. Throws an `Error` when the signal aborts first.
 */
function allUp(uptime: Uptime, apart: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const { services } = uptime;
    const awaited = services.list().filter(({ id }) => !apart.includes(id));
    const pending = new Set(awaited.map(({ id }) => id));
    const look = () => {
      for (const id of pending) {
        if (services.isUp(id, recipeOf(id)?.unchecked === undefined)) {
          pending.delete(id);
        }
      }
      if (pending.size > 0) {
        return;
      }
      end();
      resolve();
    };
    const giveUp = () => {
      end();
      reject(new Error("context canceled"));
    };
    const unwatch = uptime.watch(look);
    const end = () => {
      unwatch();
      signal.removeEventListener("abort", giveUp);
    };
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) {
      giveUp();
    } else {
      look();
    }
  });
}
