import { waitFor } from "../api/waitFor";
import { clock } from "../clock";
import type { Progress } from "../progress";
import { judgeMachine } from "./judgeMachine";
import type { Machine } from "./machine";
import { readMachineFacts } from "./machineFacts";
import { Settling } from "./settling";
import { withMachine } from "./withMachine";

/** How long a machine has to stay well to count as that, unless a program says otherwise. */
export const DEFAULT_SETTLED_SECONDS = 5;

/** A machine that is to be well again. */
export interface WellnessWait {
  readonly machine: Machine;
  /** How long it has to stay well. */
  readonly settledSeconds: number;
  /**
   * Whether it was up before. One that never was is well when it runs its configuration: it may wait for
   * a bootstrap that comes later. Its stage `running` says so too.
   */
  readonly wasUp: boolean;
  /** What it lacked before the change, as `MachineVerdict.unmet` has it, where that is known. */
  readonly missingBefore?: readonly string[] | undefined;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Waits until a machine is well and stays so: it runs, its services are healthy, what its configuration
 * restarts was started after that changed and is ready, and Talos says that the machine is ready, as its
 * node in Kubernetes is. Everything is asked of the machine, so a run that was cut off can be continued.
 *
 * What was missing before the change, such as a network plugin without which no node is ready, is waited
 * for a little more than a minute (`PATIENCE_MS`), and then warned of.
 *
 * @returns whether it is up; false, without waiting, for a machine that never was
 * @throws TalosApiError when the machine refuses to tell
 * @throws WaitTimeoutError at the deadline, naming what was not well
 */
export function awaitWell(wait: WellnessWait): Promise<boolean> {
  const { machine, deadline, progress } = wait;
  const settling = new Settling({ settledMs: wait.settledSeconds * 1_000 }, wait.missingBefore);
  return waitFor<boolean>({
    what: `machine ${machine.node} to be well with its configuration`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: async ({ signal }) => {
      try {
        const facts = await withMachine(machine, (client) => readMachineFacts(client, { signal }));
        if (!wait.wasUp && facts.status.stage !== "running") {
          return { done: true, value: false };
        }
        const settled = settling.see(judgeMachine(facts), clock.now());
        if (!settled.isDone) {
          return { done: false, seen: settled.seen };
        }
        settled.stillMissing.forEach((each) =>
          progress.warn(`machine ${machine.node}: as before its change, ${each}`),
        );
        return { done: true, value: true };
      } catch (error) {
        settling.forget();
        throw error;
      }
    },
  });
}
