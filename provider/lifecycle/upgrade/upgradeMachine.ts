import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";
import { talosResources } from "../../api/talosResources";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import {
  describeSystem,
  isSameSystem,
  type TalosSystem,
  talosSystem,
  upgradePathProblem,
} from "../../config/talosSystem";
import { readStatus } from "../delivery/deliverConfiguration";
import { awaitHealthy } from "../health/awaitHealthy";
import { type Machine, withMachine } from "../machine";
import { type Installation, installTalos, pullInstaller } from "./installTalos";
import { lookBeforeUpgrade, type TalosStep, upgradeProblem } from "./upgradeChecks";

/** A machine that gets another Talos. */
export interface MachineUpgrade {
  readonly machine: Machine;
  /** The installer, such as `factory.talos.dev/aws-installer/<schematic>:v1.13.0`. */
  readonly image: string;
  /** What it installs. */
  readonly target: TalosSystem;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
  /** Gives the machine what the new Talos needs, before it is looked at. Default: nothing. */
  readonly prepare?: () => Promise<void>;
  /** Runs before the machine changes: drains it. Default: nothing. */
  readonly beforeRestart?: () => Promise<void>;
  /**
   * Called before the machine's next boot may be with another system. Without the end of this
   * upgrade, nobody knows which one it is. Default: nothing.
   */
  readonly installs?: () => void;
  /**
   * Whether such an upgrade may have ended before its restart. The machine then gets the system for
   * its next boot also if it runs it. Default: false.
   */
  readonly mayHoldOther?: boolean;
}

/** The virtual extension by which images of the factory report their schematic. */
const SCHEMATIC_EXTENSION = "schematic";

/** Stages in which a machine accepts an upgrade; in others it starts or stops. */
const STAGES_OF_RUNNING: readonly string[] = ["booting", "running"];

/**
 * Talos v1.12.1's error if another member of etcd isn't healthy, or another machine is upgrading.
 */
const NOT_NOW = /error validating etcd for upgrade|failed to acquire upgrade mutex|locked/;

/** Asks a machine for its Talos. */
export async function readSystem(client: TalosClient, call?: CallOptions): Promise<TalosSystem> {
  const [{ tag: version }, extensions] = await Promise.all([
    client.version(call),
    client.listTyped(talosResources.extension, call),
  ]);
  const schematic = extensions.find(({ spec }) => spec.name === SCHEMATIC_EXTENSION)?.spec.version;
  return talosSystem(version, schematic);
}

/**
 * Makes a machine install another Talos beside its current one, and restart with it. The machine
 * keeps its data. A control plane machine restarts only while every other member of etcd is healthy.
 *
 * Since v1.13, Talos takes the steps one by one: it pulls the installer, and runs it for the next
 * boot. The drain comes between the two, so the machine is never long without having booted what it
 * holds; then it is rebooted. An older Talos does all of it in one call. It asks etcd, and drains
 * its node once more itself, for at most five minutes (Talos v1.12.1,
 * `pkg/kubernetes.Client.Drain`).
 *
 * Only the machine is asked, so a killed run can be repeated at every step. An installer that still
 * runs is waited for. One that has ended runs again.
 *
 * @throws Error if the upgrade path isn't supported, the new Talos would refuse what the machine
 *   keeps, or the machine came back with its old system
 * @throws InstallerError if the installer fails: the machine then keeps running
 * @throws TalosApiError if it refuses, for example because the installer can't be pulled: it then
 *   keeps running
 * @throws WaitTimeoutError at the deadline
 */
export async function upgradeMachine(upgrade: MachineUpgrade): Promise<void> {
  const { machine, target, deadline, progress } = upgrade;
  const { report } = progress;
  const attempt = new Attempt(upgrade);
  const wasUpgraded = await waitFor({
    what: `machine ${machine.node} to run Talos ${target.version}`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: ({ signal }) => withMachine(machine, (client) => attempt.look(client, { signal })),
  });
  if (wasUpgraded) {
    await awaitHealthy({ machine, settledSeconds: 0, wasUp: true, deadline, progress });
  }
}

/** An upgrade, step by step. */
class Attempt {
  private readonly installation: Installation;
  /** The boot in which the new system was installed. */
  private installedInBoot: string | undefined;
  /** The boot in which the machine accepted to restart. */
  private askedInBoot: string | undefined;
  private hasWaited = false;
  private holdsOther: boolean;

  constructor(private readonly upgrade: MachineUpgrade) {
    const { machine, image, target, progress, mayHoldOther = false } = upgrade;
    this.installation = { node: machine.node, image, version: target.version, progress };
    this.holdsOther = mayHoldOther;
  }

  /** Done when the machine runs the new system; the result says whether it was seen without it. */
  async look(client: TalosClient, call: CallOptions): Promise<ProbeResult<boolean>> {
    const { machine, target } = this.upgrade;
    const { boot, stage } = await readStatus(client, call);
    const system = await readSystem(client, call);
    const isUp = STAGES_OF_RUNNING.includes(stage);
    if (isUp && isSameSystem(system, target)) {
      const status = this.holdsOther ? await this.holdAgain(client, call) : undefined;
      return status === undefined ? { done: true, value: this.hasWaited } : { done: false, status };
    }
    this.hasWaited = true;
    if (!isUp) {
      return { done: false, status: `it runs ${describeSystem(system, target)} and is ${stage}` };
    }
    if (this.askedInBoot === boot) {
      return { done: false, status: "it has accepted the upgrade, and has not restarted yet" };
    }
    const began = this.askedInBoot ?? this.installedInBoot;
    if (began !== undefined && began !== boot) {
      throw new Error(cameBack(machine, system, target));
    }
    return { done: false, status: await this.step(client, system, boot, call) };
  }

  /** Takes the next steps, as far as they can be taken now. */
  private async step(
    client: TalosClient,
    system: TalosSystem,
    boot: string,
    call: CallOptions,
  ): Promise<string> {
    if (this.installedInBoot !== boot) {
      const waitsFor = await this.install(client, system, boot, call);
      if (waitsFor !== undefined) {
        return waitsFor;
      }
    }
    const unhealthy = await lookBeforeUpgrade(client, true, call);
    if (unhealthy.length > 0) {
      return `its new system is installed, and it may not restart now: ${unhealthy.join("; ")}`;
    }
    await client.reboot({}, call);
    this.askedInBoot = boot;
    return "it restarts with the new system";
  }

  /** @returns what it waits for; undefined when the new system is installed, and only then */
  private async install(
    client: TalosClient,
    system: TalosSystem,
    boot: string,
    call: CallOptions,
  ): Promise<string | undefined> {
    const { machine, target, progress, installs } = this.upgrade;
    const pathProblem = upgradePathProblem(system.version, target.version);
    if (pathProblem !== undefined) {
      throw new Error(pathProblem);
    }
    const step = { running: system.version, next: target.version };
    await this.refuse(client, step, { isPrepared: false }, call);
    const isStepwise = await pullInstaller(client, this.installation, call);
    const unhealthy = await lookBeforeUpgrade(client, isStepwise, call);
    if (unhealthy.length > 0) {
      return `no machine may be stopped now: ${unhealthy.join("; ")}`;
    }
    await this.upgrade.prepare?.();
    await this.refuse(client, step, { isPrepared: true }, call);
    await this.upgrade.beforeRestart?.();
    progress.report(
      `machine ${machine.node}: upgrade from ${describeSystem(system, target)} to ${describeSystem(target, system)}; the machine ${isStepwise ? "installs it" : "drains its node"} and restarts`,
    );
    installs?.();
    if (!isStepwise) {
      return this.askForAll(client, boot, call);
    }
    const waitsFor = await installTalos(client, this.installation, call);
    if (waitsFor === undefined) {
      this.installedInBoot = boot;
    }
    return waitsFor;
  }

  /** @throws Error if the machine can't have the new Talos with what it keeps */
  private async refuse(
    client: TalosClient,
    step: TalosStep,
    { isPrepared }: { readonly isPrepared: boolean },
    call: CallOptions,
  ): Promise<void> {
    const { machine, prepare } = this.upgrade;
    const imagesFollow = !isPrepared && prepare !== undefined;
    const problem = await upgradeProblem(client, step, imagesFollow, call);
    if (problem !== undefined) {
      throw new Error(`machine ${machine.node} doesn't get its new Talos: ${problem}`);
    }
  }

  /** Has a Talos before v1.13 do all steps itself. */
  private async askForAll(client: TalosClient, boot: string, call: CallOptions): Promise<string> {
    try {
      await client.upgrade({ image: this.upgrade.image }, call);
    } catch (error) {
      if (error instanceof TalosApiError && NOT_NOW.test(error.message)) {
        return error.message;
      }
      throw error;
    }
    this.askedInBoot = boot;
    return "it installs the new system";
  }

  /**
   * Installs the running system again, which the next boot then has, whatever another run installed.
   * An older Talos restarts at once after an installation, so it holds no other.
   *
   * @returns what it waits for
   */
  private async holdAgain(client: TalosClient, call: CallOptions): Promise<string | undefined> {
    const { machine, target, progress } = this.upgrade;
    if (await pullInstaller(client, this.installation, call)) {
      progress.report(
        `machine ${machine.node}: another run may have installed another Talos for its next boot: installs ${target.version} again, without a restart`,
      );
      const waitsFor = await installTalos(client, this.installation, call);
      if (waitsFor !== undefined) {
        return waitsFor;
      }
    }
    this.holdsOther = false;
    return undefined;
  }
}

function cameBack({ node }: Machine, system: TalosSystem, target: TalosSystem): string {
  return `machine ${node} restarted with ${describeSystem(system, target)}, its old system, instead of ${describeSystem(target, system)}: the new one was not installed or did not start. The machine works as before. "talosctl -n ${node} dmesg" may say why; run the command again to try once more`;
}
