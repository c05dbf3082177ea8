import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { paths } from "./paths";
import { runMain } from "./runMain";

/** Endless work beside the suites, for each processor that there is. */
const LOOPS_PER_CORE = 4;

const SUITES = ["unit", "components"];

/** Ends with its parent, whatever ends that: then the pipe closes that is its standard input. */
const BUSY_LOOP = `
  process.stdin.resume().on("close", () => process.exit());
  const work = () => {
    const end = performance.now() + 50;
    while (performance.now() < end);
    setImmediate(work);
  };
  work();
`;

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** `npm run test:stress`: runs the suites on a computer that is busy with other work. */
async function main(): Promise<void> {
  const count = availableParallelism() * LOOPS_PER_CORE;
  say(`Keeping the processors busy with ${count} loops while ${SUITES.join(" and ")} tests run …`);
  const loops = Array.from({ length: count }, startBusyLoop);
  try {
    process.exitCode = await runSuites();
  } finally {
    loops.forEach((loop) => loop.kill("SIGKILL"));
  }
}

function startBusyLoop(): ChildProcess {
  return spawn(process.execPath, ["-e", BUSY_LOOP], { stdio: ["pipe", "ignore", "inherit"] });
}

/** Runs the suites as `npm test` does, and gives their exit code. */
function runSuites(): Promise<number> {
  const suites = spawn(
    process.execPath,
    [join(paths.root, "scripts/run.mjs"), "test", ...SUITES, ...process.argv.slice(2)],
    { cwd: paths.root, stdio: "inherit" },
  );
  // Ctrl-C reaches the suites too. This process waits for their end, and ends the loops after it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => suites.kill(signal));
  }
  return new Promise((resolve, reject) => {
    suites.once("error", reject);
    suites.once("exit", (code) => resolve(code ?? 1));
  });
}

runMain(main);
