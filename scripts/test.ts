import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { quickNodeOptions } from "./openStack";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { describeDuration } from "./runStep";
import { prepareTools } from "./testing/prepareTools";
import { runChecks } from "./testing/runChecks";
import { endGroups } from "./testing/runInGroup";
import { runSuite } from "./testing/runSuite";
import { type Counts, type SuiteResult, sumOf } from "./testing/suiteResult";
import { readSelection, type Suite } from "./testing/suites";

/** A lab's machines take fixed addresses, so only one file has them at a time. */
const hasLab = [process.env.TALOS_LAB, process.env.KUBERNETES_LAB].some((lab) => lab !== undefined);

/** How many files of a suite run side by side for each processor: much of an engine's test it waits. */
const workersPerProcessor: Readonly<Record<Suite, number>> = {
  unit: 3,
  components: 0.5,
  engine: 3,
  conformance: hasLab ? 1 / availableParallelism() : 1,
  life: 0.5,
  languages: 0.5,
};

/**
 * Where the processes of a run share what V8 has compiled: a quarter of an engine's test was spent on
 * compiling the same modules once more. Emptied first, because programs in temporary folders leave theirs.
 */
const compiledCode = join(paths.cache, "compiled");

/** Files that the report names as the slowest. */
const SLOWEST = 5;

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/**
 * `npm test`: sets everything up, runs the checks and the suites, prints the true counts. Words after
 * `--` that name suites have it run those alone; other ones the test files whose path they are part of,
 * and `-t` the tests whose name has the text after it.
 *
 * Tools are made beside the checks and the fast suites. The two fast suites run side by side, then the two
 * slow ones.
 */
async function main(): Promise<void> {
  const started = Date.now();
  const args = process.argv.slice(2);
  const selection = readSelection(args);
  await rm(compiledCode, { recursive: true, force: true });
  const isChosen = (suite: Suite) => selection.files.has(suite);
  const tools = prepareTools([...selection.files.keys()], say);
  const results = new Map<Suite, SuiteResult>();
  const run = async (suite: Suite) => {
    if (!isChosen(suite)) {
      return;
    }
    const environment = {
      ...process.env,
      NODE_OPTIONS: quickNodeOptions(),
      NODE_COMPILE_CACHE: compiledCode,
      TALOS_TEST_AS_BUILT: "true",
      GOGC: process.env.GOGC ?? "400",
      ...(await tools.environmentFor(suite)),
    };
    const most = Math.ceil(availableParallelism() * workersPerProcessor[suite]);
    const workers = Math.min(most, selection.files.get(suite) ?? 1);
    const startedSuite = Date.now();
    results.set(suite, await runSuite({ suite, selection, workers, environment }));
    say(`${suite}: took ${describeDuration(Date.now() - startedSuite)} with ${workers} at a time`);
  };

  const checks = args.length === 0 ? runChecks(say) : undefined;
  const settled = [
    ...(await Promise.allSettled([run("unit"), run("components")])),
    ...(await Promise.allSettled([run("engine"), run("conformance"), checks])),
    ...(await Promise.allSettled([run("life")])),
    ...(await Promise.allSettled([run("languages")])),
  ];
  const checked = await checks;
  await tools.close();
  for (const { reason } of settled.filter((each) => each.status === "rejected")) {
    throw reason;
  }

  const total = sumOf([...results.values(), ...(checked === undefined ? [] : [checked])]);
  report(results, checked);
  say(`Took ${describeDuration(Date.now() - started)}.\n`);
  say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

function report(results: ReadonlyMap<Suite, SuiteResult>, checks: Counts | undefined): void {
  say("");
  for (const [name, counts] of [["checks", checks] as const, ...results]) {
    if (counts !== undefined) {
      say(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    }
  }
  const files = [...results.values()].flatMap(({ seconds }) => Object.entries(seconds));
  const slowest = files.sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
  say(`Slowest: ${slowest.map(([file, seconds]) => `${file} ${seconds} s`).join(", ")}`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    endGroups();
    process.exit(1);
  });
}

runMain(main, endGroups);
