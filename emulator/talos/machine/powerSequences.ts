import type { MachineFaults } from "../faults/machineFaults";
import type { SequenceRun } from "../runtime/sequencer";
import {
  phasesOf,
  plainSequence,
  type SequenceName,
  type SequenceOptions,
} from "../runtime/sequences";
import type { ConfiguredBoot } from "./configuredBoot";
import { runInstaller } from "./installer";
import { install, wipe, wipeWhole, type MachineDisk } from "./machineDisk";
import type { RebootOptions, ResetOptions, ShutdownOptions, UpgradeOptions } from "./nodeControl";

/** The actions of sequences that end a boot. */
export interface PowerTasks {
  readonly boot: ConfiguredBoot;
  readonly disk: MachineDisk;
  readonly faults: Pick<MachineFaults, "installerFailure">;
  /** How long pods take to end. */
  readonly shutdownMs: number;
  /** Ends everything that runs. The ports are closed when it resolves. */
  halt(): Promise<void>;
  /** Starts again, after `rebootMs`. */
  restart(): void;
  switchOff(): void;
}

/** The restart of a machine. */
export function rebootSequence(tasks: PowerTasks, options: RebootOptions): SequenceRun {
  const { actorId, mode, takeover } = options;
  return {
    ...sequence("reboot", tasks, { kexec: mode === "DEFAULT", force: mode === "FORCE" }, actorId),
    takeover,
  };
}

/** The shutdown of a machine. */
export function shutdownSequence(tasks: PowerTasks, options: ShutdownOptions): SequenceRun {
  const { actorId, force } = options;
  return { ...sequence("shutdown", tasks, { force }, actorId), takeover: true };
}

/** The reset of a machine, as far as requested. */
export function resetSequence(tasks: PowerTasks, options: ResetOptions): SequenceRun {
  const { actorId, graceful, reboot, wipes } = options;
  const { disk } = tasks;
  const extent = typeof wipes === "object" ? "partitions" : wipes;
  const run = sequence("reset", tasks, { graceful, reboot, wipes: extent }, actorId);
  return {
    ...run,
    perform: async (task, signal) => {
      if (task === "resetSystemDisk") {
        wipeWhole(disk);
      } else if (task === "resetSystemDiskSpec") {
        wipe(disk, typeof wipes === "object" ? wipes : []);
      } else {
        await run.perform(task, signal);
      }
    },
  };
}

/** The installation of another system and its boot. */
export function upgradeSequence(tasks: PowerTasks, options: UpgradeOptions): SequenceRun {
  const { actorId, system, stage, mode } = options;
  const name = stage ? "stageUpgrade" : "upgrade";
  const run = sequence(name, tasks, { kexec: mode === "DEFAULT" }, actorId);
  return {
    ...run,
    perform: async (task, signal) => {
      if (task !== "upgrade") {
        await run.perform(task, signal);
      } else {
        const { active, talosVersion } = tasks.boot;
        const { exitCode } = runInstaller(system, {
          talosVersion,
          config: active,
          failure: tasks.faults.installerFailure,
        });
        if (exitCode !== 0) {
          throw new Error(`task "upgrade" failed: exit code ${exitCode}`);
        }
        install(tasks.disk, system);
      }
    },
  };
}

function sequence(
  name: SequenceName,
  tasks: PowerTasks,
  options: Partial<SequenceOptions>,
  actorId: string,
): SequenceRun {
  const isControlPlane = tasks.boot.facts.machineType === "controlplane";
  return {
    name,
    phases: phasesOf(name, { ...plainSequence, isControlPlane, ...options }),
    actorId,
    perform: (task, signal) => perform(task, tasks, signal),
  };
}

async function perform(task: string, tasks: PowerTasks, signal: AbortSignal): Promise<void> {
  const { boot } = tasks;
  switch (task) {
    case "cordonAndDrainNode":
      await boot.drain();
      break;
    case "stopAllPods":
    case "removeAllPods":
      await boot.timers.delay(tasks.shutdownMs);
      await boot.stopPods();
      break;
    case "leaveEtcd":
      await boot.etcd?.leave(AbortSignal.any([signal, boot.down]));
      break;
    case "stopServicesForUpgrade":
      await boot.stopDiskServices();
      break;
    case "stopAllServices":
      await tasks.halt();
      break;
    case "reboot":
      await tasks.halt();
      tasks.restart();
      break;
    case "shutdown":
      tasks.switchOff();
      break;
  }
}
