import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureMoto } from "../emulator/aws/pythonEnvironment";
import { ensurePulumi } from "./ensurePulumi";
import { ensureTalosctl } from "./ensureTalosctl";
import { paths } from "./paths";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** Fast ones first; each is a project of vitest.config.mts. */
const suites = ["unit", "components", "engine", "conformance"] as const;

/** How many files run side by side, for the processors there are: much of a test's time it waits. */
const workers = Math.ceil(availableParallelism() * 1.5);

/** What must hold of the code itself; each counts as one test. */
const checks = [
  ["types", "npx", ["tsc", "--noEmit"]],
  ["eslint", "npx", ["eslint", ".", "--max-warnings", "0"]],
  ["prettier", "npx", ["prettier", "--check", "--log-level", "warn", "."]],
] as const;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * `npm test`: sets everything up, runs the checks and the suites, prints the true counts. Words after
 * `--` that name suites have it run those alone; other ones the test files whose path they match.
 */
async function main(): Promise<void> {
  const engine = await ensurePulumi(paths.cache, say);
  await ensureMoto({ cacheDir: paths.cache, onLog: say });
  const talosctl = await orSkip("the real talosctl", ensureTalosctl(paths.cache, say));
  const environment = {
    ...process.env,
    PULUMI_ENGINE: engine.command,
    // It is about releases of the SDK to come, and the one in use is pinned.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    ...(talosctl === undefined ? {} : { TALOSCTL: talosctl }),
  };

  const words = process.argv.slice(2);
  const named = suites.filter((suite) => words.includes(suite));
  const files = words.filter((word) => !named.some((suite) => suite === word));
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (words.length === 0) {
    for (const [name, command, args] of checks) {
      say(`\n== ${name}`);
      const { status } = spawnSync(command, args, { cwd: paths.root, stdio: "inherit" });
      add(total, { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 });
    }
  }
  for (const suite of named.length === 0 ? suites : named) {
    say(`\n== ${suite}`);
    add(total, runSuite(suite, files, environment));
  }
  say(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

/** What can't be had makes tests skipped ones, which are counted. */
async function orSkip(what: string, tool: Promise<string>): Promise<string | undefined> {
  try {
    return await tool;
  } catch (error) {
    say(`Tests against ${what} are skipped: ${String(error)}`);
    return undefined;
  }
}

function runSuite(suite: string, files: readonly string[], environment: NodeJS.ProcessEnv): Counts {
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-test-"));
  const results = join(folder, "results.json");
  try {
    const { status } = spawnSync(
      "npx",
      [
        "vitest",
        "run",
        "--project",
        suite,
        `--maxWorkers=${workers}`,
        "--passWithNoTests",
        "--reporter=dot",
        "--reporter=json",
        `--outputFile=${results}`,
        ...files,
      ],
      { cwd: paths.root, stdio: ["ignore", "inherit", "inherit"], env: environment },
    );
    return countsOf(results, status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What vitest's JSON reporter writes, as far as it is read here. */
interface TestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  /** One for each file, with the tests of it. */
  testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[];
}

function countsOf(file: string, status: number | null): Counts {
  let results: TestResults;
  try {
    results = JSON.parse(readFileSync(file, "utf8")) as TestResults;
  } catch {
    // It ended before it could tell: that is a failure, not nothing.
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const unloadable = results.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = results.numFailedTests + unloadable.length;
  return {
    passed: results.numPassedTests,
    // A run can fail without a failed test, when something is left open or a file doesn't load.
    failed: status === 0 ? failed : Math.max(1, failed),
    skipped: results.numPendingTests,
  };
}

function add(total: Counts, counts: Counts): void {
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
