import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule, TestSpecification } from "vitest/node";
import { describeDuration } from "../runStep";
import { describeFailure, type Failure } from "./describeFailure";
import type { SuiteResult } from "./suiteResult";

/** How often a line says how far the suite is. */
const PROGRESS_INTERVAL_MS = 20_000;

/**
 * Tells how far a suite is, each failure at once with the command that repeats it, and writes the
 * counts into the file that TALOS_TEST_RESULT names.
 */
export default class ProgressReporter implements Reporter {
  private readonly started = Date.now();
  private readonly running = new Map<string, number>();
  private readonly seconds = new Map<string, number>();
  private readonly root = process.cwd();
  private suite = "";
  private files = 0;
  private counts = { passed: 0, failed: 0, skipped: 0 };
  private timer: NodeJS.Timeout | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.files = specifications.length;
    this.suite = specifications[0]?.project.name ?? "";
    this.say(`${this.files} files`);
    this.timer = setInterval(() => this.sayProgress(), PROGRESS_INTERVAL_MS);
  }

  onTestModuleStart(module: TestModule): void {
    this.running.set(this.fileOf(module), Date.now());
  }

  onTestModuleEnd(module: TestModule): void {
    const file = this.fileOf(module);
    const startedAt = this.running.get(file) ?? Date.now();
    this.running.delete(file);
    this.seconds.set(file, Math.round((Date.now() - startedAt) / 100) / 10);
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result();
      if (state === "passed") {
        this.counts.passed++;
      } else if (state === "failed") {
        this.fail({ file, title: test.fullName, isTest: true, errors });
      } else {
        this.counts.skipped++;
      }
    }
    // What fails outside of tests: a hook, or the loading of the file.
    for (const suite of module.children.allSuites()) {
      this.failOutside(`${suite.fullName}: a hook`, suite.errors(), file);
    }
    this.failOutside("the file, or a hook of all its tests", module.errors(), file);
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.timer);
    for (const error of unhandled) {
      this.failOutside("an error that no test handled", [error]);
    }
    this.sayProgress();
    const result: SuiteResult = { ...this.counts, seconds: Object.fromEntries(this.seconds) };
    const target = process.env.TALOS_TEST_RESULT;
    if (target !== undefined) {
      writeFileSync(target, JSON.stringify(result));
    }
  }

  private failOutside(title: string, errors: Failure["errors"], file?: string): void {
    if (errors.length > 0) {
      this.fail({ title, errors, isTest: false, ...(file !== undefined && { file }) });
    }
  }

  private fail(failure: Failure): void {
    this.counts.failed++;
    process.stdout.write(describeFailure(this.suite, failure));
  }

  private sayProgress(): void {
    const { passed, failed, skipped } = this.counts;
    const longest = [...this.running]
      .sort(([, one], [, other]) => one - other)
      .slice(0, 3)
      .map(([file, since]) => `${shortName(file)} ${describeDuration(Date.now() - since)}`);
    this.say(
      [
        `${this.seconds.size} of ${this.files} files, ${passed} passed`,
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(skipped > 0 ? [`${skipped} skipped`] : []),
        describeDuration(Date.now() - this.started),
      ].join(", ") + (longest.length > 0 ? ` (now: ${longest.join(", ")})` : ""),
    );
  }

  private say(line: string): void {
    process.stdout.write(`${this.suite}: ${line}\n`);
  }

  private fileOf(module: TestModule): string {
    return relative(this.root, module.moduleId);
  }
}

function shortName(file: string): string {
  return (file.split("/").at(-1) ?? file).replace(/\.test\.ts$/, "");
}
