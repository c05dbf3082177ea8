import { runMain } from "./runMain";
import { runStep } from "./runStep";
import { runTests } from "./seededRuns";
import { makeOldestCheckout } from "./testing/oldestCheckout";

/** The suites in which Pulumi's SDK and engine run. */
const SUITES = ["components", "engine"];

/**
 * `npm run test:oldest`: runs tests with the oldest Pulumi SDK and engine that the package works with. Words
 * after `--` choose tests as for `npm test`; by default it is the suites that use Pulumi.
 */
async function main(): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const root = await runStep("oldest", say, makeOldestCheckout);
  const [, , ...words] = process.argv;
  process.exitCode = await runTests({
    words: words.length === 0 ? SUITES : words,
    environment: {},
    root,
  });
}

runMain(main);
