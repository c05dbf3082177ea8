import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { type Machine, withMachine } from "../machine";
import { hasBeenUp } from "./hasBeenUp";
import { lookAtMachine } from "./lookAtMachine";
import { PullWatch } from "./pullWatch";
import { Settling } from "./settling";

/** The default time that a machine must stay healthy. */
export const DEFAULT_SETTLED_SECONDS = 5;

/**
 * How long a machine that may have been up may take to boot: EC2 boots an instance in one to two
 * minutes.
 */
const BOOT_PATIENCE_MS = 120_000;

/** A machine that must become healthy again. */
export interface HealthWait {
  readonly machine: Machine;
  /** How long it must stay healthy. */
  readonly settledSeconds: number;
  /**
   * Whether it was up before. A machine that never was only has to run its configuration, because
   * its bootstrap may come later. What `hasBeenUp` says of its boot also counts.
   */
  readonly wasUp: boolean;
  /**
   * Whether an interrupted run may have rebooted it, with nothing recorded about its health. If it
   * was up, it is so again within two minutes. Default: false.
   */
  readonly mayReboot?: boolean;
  /** What was missing before the change, as in `MachineVerdict.unmet`, if known. */
  readonly missingBefore?: readonly string[] | undefined;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Waits until a machine is healthy and stays healthy. It runs, and its services are healthy. Talos
 * has derived what it restarts from the configuration, and no controller of Talos fails by it. What
 * the configuration restarts was started after the change and is ready. Talos reports the machine
 * ready, and so its node in Kubernetes. Only the machine is asked, so an interrupted run can
 * continue.
 *
 * If something was already missing before the change, such as a pod network, it waits a little more
 * than a minute (`PATIENCE_MS`) and then warns.
 *
 * @returns whether it is up; false, without waiting, for a machine that never was
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline, with what is unhealthy
 */
export function awaitHealthy(wait: HealthWait): Promise<boolean> {
  const { machine, deadline, progress } = wait;
  const bootsUntil = clock.now() + (wait.mayReboot === true ? BOOT_PATIENCE_MS : 0);
  const settling = new Settling({ settledMs: wait.settledSeconds * 1_000 }, wait.missingBefore);
  const pulls = new PullWatch();
  return waitFor<boolean>({
    what: `machine ${machine.node} to be healthy with its configuration`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: async ({ signal }) => {
      try {
        const { facts, verdict } = await withMachine(machine, (client) =>
          lookAtMachine(client, { signal }, pulls),
        );
        if (!wait.wasUp && !hasBeenUp(facts.status.stage, facts.services)) {
          return clock.now() < bootsUntil
            ? { done: false, status: `it is ${facts.status.stage}` }
            : { done: true, value: false };
        }
        const settled = settling.see(verdict, clock.now());
        if (!settled.isDone) {
          return { done: false, status: settled.seen };
        }
        settled.stillMissing.forEach((each) =>
          progress.warn(`machine ${machine.node}: as before the change, ${each}`),
        );
        settled.doubtful.forEach((each) => progress.warn(`machine ${machine.node}: ${each}`));
        return { done: true, value: true };
      } catch (error) {
        settling.forget();
        throw error;
      }
    },
  });
}
