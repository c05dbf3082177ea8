import { runMain } from "./runMain";
import { runStep } from "./runStep";
import { runTests } from "./seededRuns";
import { makeOldestCheckout } from "./testing/oldestCheckout";
import { upgradePulumi } from "./testing/upgradePulumi";

/** The suites in which Pulumi's SDK and engine run. */
const SUITES = ["components", "engine"];

const UPGRADE = "upgrade";

/**
 * `npm run test:oldest`: runs tests with the oldest Pulumi SDK and engine that the package works with. Words
 * after `--` choose tests as for `npm test`, and `upgrade` that clusters pass from one release to the other. By
 * default it is both, with the suites that use Pulumi.
 */
async function main(): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const root = await runStep("oldest", say, makeOldestCheckout);
  const [, , ...words] = process.argv;
  if (words[0] !== UPGRADE) {
    const chosen = words.length === 0 ? SUITES : words;
    process.exitCode = await runTests({ words: chosen, environment: {}, root });
  }
  if (words.length === 0 || words[0] === UPGRADE) {
    await runStep(UPGRADE, say, (log) => upgradePulumi(root, log.say));
    say("A cluster of either release of Pulumi has no change with the other one.");
  }
}

runMain(main);
