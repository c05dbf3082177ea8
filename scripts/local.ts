import { runMain } from "./runMain";
import { endWithSupervisor, supervise } from "./supervise";

/** Loads the work late: the process that supervises it needs none of Pulumi's SDK. */
const loadWork = () => import("./bringUpLocal.js");

/** `npm run local`: brings the cluster up in a process of its own, so that an interrupt ends all of it. */
async function main(): Promise<void> {
  if (process.argv.includes("--work")) {
    const workIsDone = endWithSupervisor();
    await (await loadWork()).bringUpLocal();
    workIsDone();
    return;
  }
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    throw new Error(
      `"npm run local" takes no arguments, and got "${argument}": change environments/Pulumi.local.yaml instead`,
    );
  }
  process.exitCode = await supervise({
    args: ["--work"],
    onInterrupt: async () => (await loadWork()).endWorld(),
  });
}

runMain(main);
