import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "../paths";
import { runInGroup } from "./runInGroup";
import type { SuiteResult } from "./suiteResult";
import type { Selection, Suite } from "./suites";

/** How a suite is run. */
export interface SuiteRun {
  readonly suite: Suite;
  readonly selection: Selection;
  /** How many files run side by side. */
  readonly workers: number;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Runs the selected files of a suite, with their progress on standard output.
 *
 * @returns the true counts; one failure more when the suite's process failed without a failed test
 */
export async function runSuite(run: SuiteRun): Promise<SuiteResult> {
  const { suite, selection, workers, environment } = run;
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-test-"));
  const target = join(folder, "result.json");
  try {
    const status = await runInGroup(
      process.execPath,
      [
        join(paths.root, "node_modules/vitest/vitest.mjs"),
        "run",
        `--project=${suite}`,
        `--maxWorkers=${workers}`,
        `--reporter=${join(paths.root, "scripts/testing/progressReporter.ts")}`,
        ...(selection.title === undefined ? [] : ["-t", titlePattern(selection.title)]),
        ...selection.words,
      ],
      { ...environment, TALOS_TEST_RESULT: target },
    );
    return readResult(target, status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The regular expression that vitest compares with a test's names, which it joins by " > ". */
function titlePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function readResult(file: string, status: number): SuiteResult {
  let result: SuiteResult;
  try {
    result = JSON.parse(readFileSync(file, "utf8")) as SuiteResult;
  } catch {
    // It ended before it could tell: that is a failure, not nothing.
    return { passed: 0, failed: 1, skipped: 0, seconds: {} };
  }
  return status === 0 ? result : { ...result, failed: Math.max(1, result.failed) };
}
