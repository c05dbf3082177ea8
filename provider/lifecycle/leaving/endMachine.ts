import { TalosApiError } from "../../api/talosApiError";
import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { effectiveOnDestroy, ON_DESTROY_VARIABLE, type OnDestroy } from "../../engine/onDestroy";
import { leaveEtcd } from "../etcd/leaveEtcd";
import { type EtcdMachine, withMachine } from "../machine";
import { isSilence } from "../silence";
import { isOtherInstance } from "./isOtherInstance";
import { resetMachine } from "./resetMachine";
import { SilentMachine } from "./silentMachine";

/** A machine that is off must not delay the rest. */
const LOOK_TIMEOUT_MS = 5_000;

/** The circumstances of a machine's deletion. */
export interface EndOptions {
  /** The value of `TALOS_AWS_ON_DESTROY`. */
  readonly override: string | undefined;
  /**
   * Whether the whole cluster is deleted in this run. Then the machine doesn't leave etcd, and dead
   * machines don't block.
   */
  readonly deletesCluster: boolean;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  /** How long a machine must be silent to count as gone. Default: 30 s. */
  readonly goneMs?: number;
}

/**
 * Runs the recorded action of a `ConfigurationApply`'s delete, or the one from the environment:
 * nothing, leave etcd, or a reset.
 *
 * @throws Error if the machine could not leave etcd or be reset, with what to do
 */
export async function endMachine(
  machine: EtcdMachine,
  recorded: OnDestroy | undefined,
  { override, deletesCluster, deadline, goneMs }: EndOptions,
  progress: Progress,
): Promise<void> {
  const onDestroy = effectiveOnDestroy(recorded, override);
  const isClusterDeleted = deletesCluster && (override ?? "") === "";
  if (onDestroy.leaveEtcd === true && !isClusterDeleted) {
    try {
      await leaveEtcd(machine, [], deadline, progress);
    } catch (error) {
      throw new Error(
        `machine ${machine.node} was not removed from etcd: ${messageOfError(error)}. To delete the whole cluster, run "talos-aws destroy <stack>", which asks no machine to leave. If only this machine is lost, remove its member with "talosctl etcd remove-member" on another machine, and run the command again with ${ON_DESTROY_VARIABLE}=none`,
        { cause: error },
      );
    }
  }
  if (
    onDestroy.reset !== true ||
    (isClusterDeleted && (await isGone(machine, deadline, goneMs, progress)))
  ) {
    return;
  }
  if (await hasAnother(machine)) {
    progress.warn(
      `another instance than ${machine.machineId} has the address ${machine.node}, so it is not reset`,
    );
    return;
  }
  try {
    // The whole cluster is deleted, so a graceful reset, which leaves etcd first, is not needed.
    const how = isClusterDeleted ? { ...onDestroy, graceful: false } : onDestroy;
    await resetMachine(machine, how, deadline, progress);
  } catch (error) {
    throw new Error(
      `machine ${machine.node} was not reset: ${messageOfError(error)}. To delete the whole cluster, run "talos-aws destroy <stack>", which resets machines without waiting for others and skips those that don't answer. To keep this machine as it is, run the command again with ${ON_DESTROY_VARIABLE}=none`,
      { cause: error },
    );
  }
}

/**
 * Whether EC2 gave a machine's address to another instance, as an Elastic IP address to the successor. A machine
 * that doesn't say is judged by its reset.
 */
async function hasAnother(machine: EtcdMachine): Promise<boolean> {
  try {
    return await withMachine(machine, (client) =>
      isOtherInstance(client, machine.machineId, { timeoutMs: LOOK_TIMEOUT_MS }),
    );
  } catch (error) {
    if (error instanceof TalosApiError) {
      return false;
    }
    throw error;
  }
}

/** Whether a machine stays silent. Then a warning says that it is left as it is. */
async function isGone(
  machine: EtcdMachine,
  deadline: number,
  goneMs: number | undefined,
  { report, warn }: Progress,
): Promise<boolean> {
  const silent = new SilentMachine(machine.node, goneMs);
  const gone = await waitFor<boolean>({
    what: `machine ${machine.node} to answer`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: async ({ signal }) => {
      try {
        await withMachine(machine, (client) => client.version({ signal }));
      } catch (error) {
        return isSilence(error) && !silent.isGone()
          ? { done: false, status: "it doesn't answer" }
          : { done: true, value: isSilence(error) };
      }
      return { done: true, value: false };
    },
  });
  if (gone) {
    warn(
      `machine ${machine.node} has not answered for ${silent.goneMs / 1_000} s: it is not changed, and its disk keeps its data`,
    );
  }
  return gone;
}
