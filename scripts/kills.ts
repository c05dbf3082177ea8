import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { paths } from "./paths";

const USAGE = `usage: npm run test:kills [-- <seed> | -- seeds <how many>], with whole numbers\n`;

/** Seeds are below this. */
const SEEDS = 1_000_000;

/** What one run kills at: everything, or what a seed chooses. */
type Choice = "all" | number;

/**
 * `npm run test:kills`: kills engines at each operation of an `up`, a destroy, upgrades, a scaling, a rotation and a
 * restore, where `npm test` takes a few. A number after `--` chooses some by that seed, and `seeds 5` does so by
 * five random ones, which it names.
 */
async function main(): Promise<void> {
  const choices = choicesOf(process.argv.slice(2));
  if (choices === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  for (const choice of choices) {
    if (choice !== "all") {
      process.stdout.write(`This repeats what follows: npm run test:kills -- ${choice}\n`);
    }
    const code = await run(choice);
    process.exitCode = process.exitCode === 1 ? 1 : code;
  }
}

function choicesOf(args: readonly string[]): readonly Choice[] | undefined {
  const [first, second, ...others] = args;
  const numberOf = (text = "") => (/^\d+$/.test(text) ? Number(text) : undefined);
  if (others.length > 0) {
    return undefined;
  }
  if (first === undefined) {
    return ["all"];
  }
  if (first === "seeds") {
    const count = numberOf(second);
    return count === undefined ? undefined : Array.from({ length: count }, () => randomInt(SEEDS));
  }
  const seed = second === undefined ? numberOf(first) : undefined;
  return seed === undefined ? undefined : [seed];
}

/** @returns the exit code of the tests */
function run(choice: Choice): Promise<number> {
  const isAll = choice === "all";
  const files = ["killedDestroys", "killedChanges", ...(isAll ? ["killedCreates"] : [])];
  const chosen = { KILLED_DESTROYS: `${choice}`, KILLED_CHANGES: `${choice}` };
  const tests = spawn(
    process.execPath,
    [join(paths.root, "scripts/run.mjs"), "test", "engine", "life", ...files],
    {
      cwd: paths.root,
      stdio: "inherit",
      env: { ...process.env, ...chosen, ...(isAll && { KILLED_CREATES: "all" }) },
    },
  );
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

void main();
