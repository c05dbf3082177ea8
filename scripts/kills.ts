import { spawn } from "node:child_process";
import { join } from "node:path";
import { paths } from "./paths";

/**
 * `npm run test:kills`: kills engines at each operation of an `up` and of a destroy, where `npm test` takes a
 * few. A number after `--` chooses some by that seed.
 */
function main(): void {
  const [seed, ...others] = process.argv.slice(2);
  if ((seed !== undefined && !/^\d+$/.test(seed)) || others.length > 0) {
    process.stderr.write(`usage: npm run test:kills [-- <seed>], with a number as the seed\n`);
    process.exitCode = 1;
    return;
  }
  const chosen = seed === undefined ? { KILLED_CREATES: "all" } : {};
  const files = ["killedDestroys", ...(seed === undefined ? ["killedCreates"] : [])];
  const tests = spawn(
    process.execPath,
    [join(paths.root, "scripts/run.mjs"), "test", "engine", ...files],
    {
      cwd: paths.root,
      stdio: "inherit",
      env: { ...process.env, ...chosen, KILLED_DESTROYS: seed ?? "all" },
    },
  );
  // Ctrl-C reaches the tests too. This process waits for their end.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => tests.kill(signal));
  }
  tests.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}

main();
