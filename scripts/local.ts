import { localMachines } from "./localMachines";
import { runMain } from "./runMain";
import { endWithSupervisor, supervise } from "./supervise";

/** Loads the work late: the process that supervises it needs none of Pulumi's SDK. */
const loadWork = () => import("./bringUpLocal.js");

/** What `npm run local:upgrade` hands over. */
const UPGRADE = "upgrade";

/**
 * `npm run local` and `npm run local:upgrade`: brings the cluster up in a process of its own, so that an
 * interrupt ends all of it.
 */
async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  if (first === "--work") {
    const workIsDone = endWithSupervisor();
    const [isUpgrade, options] = split(others);
    const { bringUpLocal, upgradeLocal } = await loadWork();
    await (isUpgrade ? upgradeLocal() : bringUpLocal(localMachines(options)));
    workIsDone();
    return;
  }
  const [isUpgrade, options] = split(process.argv.slice(2));
  const machines = localMachines(options);
  if (isUpgrade && machines !== undefined) {
    throw new Error(
      '"npm run local:upgrade" is for simulated machines: Talos in a container has no installer',
    );
  }
  process.exitCode = await supervise({
    args: ["--work", ...process.argv.slice(2)],
    onInterrupt: async () => (await loadWork()).endWorld(),
  });
}

function split(args: readonly string[]): [isUpgrade: boolean, options: readonly string[]] {
  const isUpgrade = args[0] === UPGRADE;
  return [isUpgrade, isUpgrade ? args.slice(1) : args];
}

runMain(main);
