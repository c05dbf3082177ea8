import { type ClusterConfig, isClusterConfig, type LoadedConfig } from "../config/loadConfig";
import type { MachineFaults } from "../faults/machineFaults";
import type { SequenceRun } from "../runtime/sequencer";
import type { ConfiguredBoot } from "./configuredBoot";
import { type InstallerRun, runInstaller } from "./installer";
import type { InstalledSystem } from "./installerImage";
import { install, type MachineDisk, revert } from "./machineDisk";
import type {
  NodeControl,
  RebootOptions,
  ResetOptions,
  ShutdownOptions,
  UpgradeOptions,
} from "./nodeControl";
import {
  type PowerTasks,
  rebootSequence,
  resetSequence,
  shutdownSequence,
  upgradeSequence,
} from "./powerSequences";
import type { ServiceRecipe } from "./serviceCatalog";

/** The machine that calls control. */
export interface ControlledMachine {
  readonly disk: MachineDisk;
  /** The boot with a configuration. Undefined in maintenance mode and while the machine is down. */
  readonly configured: ConfiguredBoot | undefined;
  readonly faults: Pick<MachineFaults, "installerFailure">;
  /** How long a pull or an installation takes. */
  readonly installMs: number;
  /** Leaves maintenance mode with the first configuration. */
  leaveMaintenance(config: ClusterConfig): void;
  /** Runs a sequence that ends this boot. */
  goDown(sequenceFor: (tasks: PowerTasks) => SequenceRun): void;
}

/** Controls one machine for API calls, over all its boots. */
export class MachineControl implements NodeControl {
  private readonly machine: ControlledMachine;
  private currentBootstrapCalls = 0;
  /** Cancels the rollback of a configuration in try mode. */
  private endTry: (() => void) | undefined;

  constructor(machine: ControlledMachine) {
    this.machine = machine;
  }

  /** The number of Bootstrap calls in the machine's life, successful or not. */
  get bootstrapCalls(): number {
    return this.currentBootstrapCalls;
  }

  get configs() {
    const { configured, disk } = this.machine;
    const active = configured?.active;
    return active && { active, persistent: disk.config ?? active };
  }

  configure(config: LoadedConfig): void {
    if (!isClusterConfig(config)) {
      return;
    }
    this.machine.disk.config = config;
    this.machine.leaveMaintenance(config);
  }

  apply(config: LoadedConfig): void {
    this.stage(config);
    this.run(config);
  }

  stage(config: LoadedConfig): void {
    this.endTry?.();
    this.machine.disk.config = config;
  }

  try(config: LoadedConfig, timeoutMs: number): void {
    const boot = this.machine.configured;
    const before = boot?.active;
    this.run(config);
    this.endTry?.();
    this.endTry = boot?.timers.after(timeoutMs, () => before && boot.run(before));
  }

  countBootstrap(): void {
    this.currentBootstrapCalls += 1;
  }

  reboot(options: RebootOptions): void {
    this.goDown((tasks) => rebootSequence(tasks, options));
  }

  shutdown(options: ShutdownOptions): void {
    this.goDown((tasks) => shutdownSequence(tasks, options));
  }

  reset(options: ResetOptions): void {
    this.goDown((tasks) => resetSequence(tasks, options));
  }

  upgrade(options: UpgradeOptions): void {
    this.goDown((tasks) => upgradeSequence(tasks, options));
  }

  async install(system: InstalledSystem): Promise<InstallerRun> {
    const { configured: boot, faults, disk, installMs } = this.machine;
    if (boot === undefined) {
      throw new Error("the machine is down");
    }
    const run = runInstaller(system, {
      talosVersion: boot.talosVersion,
      config: boot.active,
      failure: faults.installerFailure,
    });
    await boot.timers.delay(installMs);
    // A machine that lost its power meanwhile has written nothing.
    if (run.exitCode === 0 && this.machine.configured === boot) {
      install(disk, system);
    }
    return run;
  }

  rollback(): boolean {
    if (!revert(this.machine.disk)) {
      return false;
    }
    this.reboot({ actorId: "", mode: "DEFAULT", takeover: true });
    return true;
  }

  startService(recipe: ServiceRecipe): void {
    this.machine.configured?.startService(recipe);
  }

  stopService(recipe: ServiceRecipe): void {
    this.machine.configured?.stopService(recipe);
  }

  private run(config: LoadedConfig): void {
    if (isClusterConfig(config)) {
      this.machine.configured?.run(config);
    }
  }

  private goDown(sequenceFor: (tasks: PowerTasks) => SequenceRun): void {
    this.endTry?.();
    this.machine.goDown(sequenceFor);
  }
}
