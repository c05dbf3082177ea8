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
    const { bringUpLocal, upgradeLocal } = await loadWork();
    await (others.includes(UPGRADE) ? upgradeLocal() : bringUpLocal());
    workIsDone();
    return;
  }
  const [unknown] = first === UPGRADE ? others : process.argv.slice(2);
  if (unknown !== undefined) {
    throw new Error(
      `"npm run local" takes no arguments, and got "${unknown}": change environments/Pulumi.local.yaml instead`,
    );
  }
  process.exitCode = await supervise({
    args: ["--work", ...process.argv.slice(2)],
    onInterrupt: async () => (await loadWork()).endWorld(),
  });
}

runMain(main);
