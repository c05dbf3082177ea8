import { effectiveOnDestroy, ON_DESTROY_VARIABLE, type OnDestroy } from "../onDestroy";
import type { Progress } from "../progress";
import type { EtcdMachine } from "./etcdMachine";
import { leaveEtcd } from "./leaveEtcd";
import { resetMachine } from "./resetMachine";

/**
 * Does to a machine what is recorded for the delete of its `ConfigurationApply`, or what the environment
 * says in its place: nothing, leave etcd, or a reset.
 *
 * @param override the value of `TALOS_AWS_ON_DESTROY`
 * @param deadline when to give up, in milliseconds since 1970
 * @throws Error when the machine could not leave etcd or be reset, with what to do
 */
export async function endMachine(
  machine: EtcdMachine,
  recorded: OnDestroy | undefined,
  override: string | undefined,
  deadline: number,
  progress: Progress,
): Promise<void> {
  const onDestroy = effectiveOnDestroy(recorded, override);
  if (onDestroy.leaveEtcd === true) {
    try {
      await leaveEtcd(machine, [], deadline, progress);
    } catch (error) {
      throw new Error(
        `machine ${machine.node} was not taken out of etcd: ${textOf(error)}. If it is gone for good, take its member out with "talosctl etcd remove-member" on another machine, and run the command again with ${ON_DESTROY_VARIABLE}=none; that also goes on if the whole cluster is to go`,
        { cause: error },
      );
    }
  }
  if (onDestroy.reset === true) {
    try {
      await resetMachine(machine, onDestroy, deadline, progress.report);
    } catch (error) {
      throw new Error(
        `machine ${machine.node} was not reset: ${textOf(error)}. To leave it as it is, run the command again with ${ON_DESTROY_VARIABLE}=none; where the cluster is gone, a reset with "graceful": false may succeed`,
        { cause: error },
      );
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
