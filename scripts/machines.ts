import { machineRuns } from "./testing/labFiles";
import { runOnEachRelease } from "./testing/labRuns";

/**
 * `npm run test:machines`: the tests with real machines, on each release of Talos that the labs run, unless
 * TALOS_LAB_RELEASE chooses one. Words after `--` are those of `npm test`: parts of file names, and `-t`.
 */
async function main(): Promise<void> {
  process.exitCode = await runOnEachRelease(machineRuns, process.argv.slice(2));
}

void main();
