import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { paths } from "../paths";
import { describeDuration } from "../runStep";
import type { Counts } from "./suiteResult";

/** What must hold of the code itself; each counts as one test. */
const checks = [
  ["types", "npm run typecheck", "node_modules/typescript-native/bin/tsc", ["--noEmit"]],
  ["eslint", "npx eslint .", "node_modules/eslint/bin/eslint.js", [".", "--max-warnings", "0"]],
  ["schema", "npm run schema -- --check", "dist/scripts/generateSchema.js", ["--check"]],
  ["links", "node scripts/checkLinks.mjs", "scripts/checkLinks.mjs", []],
  [
    "prettier",
    "npx prettier --check .",
    "node_modules/prettier/bin/prettier.cjs",
    [
      "--check",
      "--log-level=warn",
      ".",
      "--cache",
      "--cache-strategy=content",
      "--cache-location=.cache/prettier",
    ],
  ],
] as const;

/** Checks types, lint, schema, links and format one after another, and tells how each ended. */
export async function runChecks(say: (line: string) => void): Promise<Counts> {
  let passed = 0;
  for (const [name, command, program, args] of checks) {
    const started = Date.now();
    const output = await failureOf(join(paths.root, program), args);
    const took = describeDuration(Date.now() - started);
    passed += output === undefined ? 1 : 0;
    say(
      output === undefined
        ? `${name}: passed, ${took}`
        : `\nFAILED ${name}, ${took}\n${output}\n  again: ${command}\n`,
    );
  }
  return { passed, failed: checks.length - passed, skipped: 0 };
}

/** What a program said that failed. */
function failureOf(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: paths.root, maxBuffer: 64 * 1024 * 1024 };
    // Half as many collections: a sixth of eslint's time.
    const collectSeldom = "--max-semi-space-size=128";
    const { pid } = execFile(
      process.execPath,
      [collectSeldom, program, ...args],
      options,
      (error, stdout, stderr) =>
        resolve(error === null ? undefined : `${stdout}${stderr}`.trim() || error.message),
    );
    // Engines wait much of the time. The checks have until their end, and take what is left.
    if (pid !== undefined) {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    }
  });
}
