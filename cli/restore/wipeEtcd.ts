import { resetMachine } from "../../provider/lifecycle";
import { CommandFailure } from "../commandFailure";
import { awaitLook } from "./awaitLook";
import type { RestoredMachine } from "./restoreTarget";

const TIMEOUT_MS = 900_000;

/** How long a wiped machine may take to start again. */
const RESTART_MS = 300_000;

/**
 * The partition with etcd's data, images and logs. `resetMachine` wipes etcd's own with it, which
 * machines can have since Talos v1.14. STATE, with the configuration, stays.
 */
const EPHEMERAL = "EPHEMERAL";

/**
 * Wipes the etcd of machines, all at once, until none has data. A machine that starts while others
 * still have their majority joins them, and is wiped again. Machines keep their configuration and
 * their disks.
 *
 * @throws CommandFailure if that does not succeed in time
 * @throws TalosApiError if a machine refuses
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
        `the old etcd is still on ${left.map(({ name }) => name).join(" and ")}: check the machines with "talos-aws status", then run the same command again`,
      );
    }
    await Promise.all(
      left.map((machine) => {
        const tell = (line: string) => report(`${machine.name}: ${line}`);
        return resetMachine(machine, choice, deadline, { report: tell, warn: tell });
      }),
    );
    const looks = await Promise.all(
      machines.map((machine) => awaitLook(machine, RESTART_MS, signal)),
    );
    left = machines.filter((_, index) => {
      const kind = looks[index]?.kind;
      return kind !== "waiting" && kind !== "unconfigured";
    });
  }
}
