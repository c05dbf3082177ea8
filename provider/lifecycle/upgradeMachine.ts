import { TalosApiError } from "../api/talosApiError";
import type { CallOptions, TalosClient } from "../api/talosClient";
import { talosResources } from "../api/talosResources";
import { type ProbeResult, waitFor } from "../api/waitFor";
import { clock } from "../clock";
import {
  describeSystem,
  isSameSystem,
  type TalosSystem,
  talosSystem,
  upgradePathProblem,
} from "../config/talosSystem";
import type { Progress } from "../progress";
import { awaitWell } from "./awaitWell";
import { readStatus } from "./deliverConfiguration";
import { lookAtEtcdMembers } from "./lookAtEtcdMembers";
import { type Machine, withMachine } from "./machine";

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
  /** Runs before the machine is asked. Default: nothing. */
  readonly beforeRestart?: () => Promise<void>;
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
 * keeps its data. It cordons and drains its node itself, with PodDisruptionBudgets for at most five
 * minutes (Talos v1.12.1, `pkg/kubernetes.Client.Drain`), and uncordons it after its restart. A
 * control plane machine is asked only while every member of etcd is healthy. Only the machine is
 * asked, so the upgrade of a killed run is waited for, and not started again.
 *
 * @throws Error if the upgrade path isn't supported, or the machine came back with its old system
 * @throws TalosApiError if it refuses, for example because the installer can't be pulled: it then
 * keeps running
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
    await awaitWell({ machine, settledSeconds: 0, wasUp: true, deadline, progress });
  }
}

/** An upgrade, step by step. */
class Attempt {
  /** The boot in which the machine accepted the request. */
  private askedInBoot: string | undefined;
  private hasWaited = false;

  constructor(private readonly upgrade: MachineUpgrade) {}

  /** Done when the machine runs the new system; the result says whether it was seen without it. */
  async look(client: TalosClient, call: CallOptions): Promise<ProbeResult<boolean>> {
    const { machine, target, image, progress } = this.upgrade;
    const { boot, stage } = await readStatus(client, call);
    const system = await readSystem(client, call);
    const isUp = STAGES_OF_RUNNING.includes(stage);
    if (isUp && isSameSystem(system, target)) {
      return { done: true, value: this.hasWaited };
    }
    this.hasWaited = true;
    if (!isUp) {
      return { done: false, seen: `it runs ${describeSystem(system, target)} and is ${stage}` };
    }
    if (this.askedInBoot === boot) {
      return { done: false, seen: "it has accepted the upgrade, and has not restarted yet" };
    }
    if (this.askedInBoot !== undefined) {
      throw new Error(cameBack(machine, system, target));
    }
    const pathProblem = upgradePathProblem(system.version, target.version);
    if (pathProblem !== undefined) {
      throw new Error(pathProblem);
    }
    const unhealthy = await this.etcdProblems(client, call);
    if (unhealthy.length > 0) {
      return { done: false, seen: `no machine may be stopped now: ${unhealthy.join("; ")}` };
    }
    await this.upgrade.beforeRestart?.();
    progress.report(
      `machine ${machine.node}: upgrade from ${describeSystem(system, target)} to ${describeSystem(target, system)}; the machine drains its node and restarts`,
    );
    try {
      await client.upgrade({ image }, call);
    } catch (error) {
      if (error instanceof TalosApiError && NOT_NOW.test(error.message)) {
        return { done: false, seen: error.message };
      }
      throw error;
    }
    this.askedInBoot = boot;
    return { done: false, seen: "it installs the new system" };
  }

  /** The problems of etcd; empty on a worker. */
  private async etcdProblems(client: TalosClient, call: CallOptions): Promise<readonly string[]> {
    const services = await client.services(call);
    const { signal } = call;
    return services.some(({ id }) => id === "etcd") && signal !== undefined
      ? lookAtEtcdMembers(client, signal)
      : [];
  }
}

function cameBack({ node }: Machine, system: TalosSystem, target: TalosSystem): string {
  return `machine ${node} restarted with ${describeSystem(system, target)}, its old system, instead of ${describeSystem(target, system)}: the new one was not installed or did not start. The machine works as before. "talosctl -n ${node} dmesg" may say why; run the command again to try once more, or set talosVersion back`;
}
