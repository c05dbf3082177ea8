import { resetMachine } from "../../provider/lifecycle/resetMachine";
import { CommandFailure } from "../commandFailure";
import { awaitLooks } from "./awaitLooks";
import type { RestoredMachine } from "./restoreTarget";

/** How long all of it may take. */
const TIMEOUT_MS = 900_000;

/** How long a machine that was wiped may take to be up again. */
const RESTART_MS = 300_000;

/** The partition with etcd's data, images and logs. STATE, with the configuration, stays. */
const EPHEMERAL = "EPHEMERAL";

/**
 * Wipes the etcd of machines, all at once, until none holds any: one that is up again while others have
 * their majority joins them, and is wiped once more. Machines keep their configuration and their disks.
 *
 * @throws CommandFailure when that doesn't come about in time
 * @throws TalosApiError when a machine refuses
 */
export async function wipeEtcd(
  machines: readonly RestoredMachine[],
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  const choice = { graceful: false, reboot: true, systemLabelsToWipe: [EPHEMERAL] };
  let left = machines;
  while (left.length > 0) {
    if (Date.now() >= deadline) {
      throw new CommandFailure(
        `the old etcd is still on ${left.map(({ name }) => name).join(" and ")}: look at the machines with "talos-aws status", then run the same command again`,
      );
    }
    await Promise.all(
      left.map((machine) =>
        resetMachine(machine, choice, deadline, (line) => report(`${machine.name}: ${line}`)),
      ),
    );
    const looks = await awaitLooks(machines, RESTART_MS, signal);
    left = machines.filter((_, index) => {
      const kind = looks[index]?.kind;
      return kind !== "waiting" && kind !== "unconfigured";
    });
  }
}
