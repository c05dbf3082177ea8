import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { paths } from "./paths";

/** Seeds are below this. */
const SEEDS = 1_000_000;

/** What one run of tests is about: the words after `npm test --`, and variables for the tests. */
export interface TestRun {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The checkout whose tests they are. Default: this one. */
  readonly root?: string;
}

/** A command that runs tests which a number chooses. */
export interface SeededCommand {
  /** The npm script: `test:kills`. */
  readonly script: string;
  readonly runOf: (seed: number) => TestRun;
  /** The run without a seed. Default: one random seed. */
  readonly whole?: TestRun;
}

/**
 * Runs the tests of the command's arguments: `7` is a seed, `seeds 5` are five random ones. Each seed is
 * named before its run. The exit code tells whether one of the runs failed.
 */
export async function runSeeded(command: SeededCommand, args: readonly string[]): Promise<void> {
  const { script, runOf, whole } = command;
  const seeds = seedsOf(args);
  if (seeds === undefined) {
    process.stderr.write(
      `usage: npm run ${script} [-- <seed> | -- seeds <how many>], with whole numbers\n`,
    );
    process.exitCode = 1;
    return;
  }
  if (args.length === 0 && whole !== undefined) {
    process.exitCode = await runTests(whole);
    return;
  }
  for (const seed of seeds) {
    process.stdout.write(`This repeats what follows: npm run ${script} -- ${seed}\n`);
    const code = await runTests(runOf(seed));
    process.exitCode = process.exitCode === 1 ? 1 : code;
  }
}

function seedsOf(args: readonly string[]): readonly number[] | undefined {
  const [first = "", second = "", ...others] = args;
  const isNumber = (text: string) => /^\d+$/.test(text);
  if (others.length > 0) {
    return undefined;
  }
  if (first === "" || (first === "seeds" && isNumber(second))) {
    return Array.from({ length: first === "" ? 1 : Number(second) }, () => randomInt(SEEDS));
  }
  return second === "" && isNumber(first) ? [Number(first)] : undefined;
}

/**
 * Runs tests as `npm test` does.
 *
 * @returns the exit code
 */
export function runTests({ words, environment, root = paths.root }: TestRun): Promise<number> {
  const script = join(root, "scripts/run.mjs");
  const tests = spawn(process.execPath, [script, "test", ...words], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  // Ctrl-C reaches the tests too. This process waits for their end.
  const forwarded = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const forward = () => void tests.kill(signal);
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  return new Promise((resolve) => {
    tests.once("exit", (code) => {
      forwarded.forEach((stop) => stop());
      resolve(code ?? 1);
    });
  });
}
