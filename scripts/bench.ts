import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { measureOracle, measureTalosctl } from "../bench/others";
import { serveChanges } from "../bench/changes";
import { serveFleet } from "../bench/fleetProcess";
import {
  type ApplyMeasurement,
  measureApply,
  measureMemory,
  type MemoryMeasurement,
} from "../bench/fleetWork";
import { type Comparison, renderReport } from "../bench/report";
import { serveSlowNetwork } from "../bench/slowNetwork";
import { measure, type Measurement, type Work, works } from "../bench/work";
import { type UpMeasurement, measureUp } from "../bench/upWork";
import { ensureOracles } from "./ensureOracles";
import { ensurePulumi } from "./ensurePulumi";
import { ensureTalosctl } from "./ensureTalosctl";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";

/** What stands below it in the results is of `npm test`, written by hand, and stays. */
const SUITE_HEADING = "## The test suite\n";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** What is measured of many machines; each is done in a process of its own too. */
const fleetWorks = {
  apply: () => measureApply(__filename, { machines: 100, delayMs: 20 }),
  memory: () => measureMemory(__filename, { controlPlanes: 7, workers: 193 }),
  up: async () =>
    measureUp(
      __filename,
      await runStep(
        "pulumi",
        () => undefined,
        (log) => ensurePulumi(paths.cache, log),
      ),
      {
        machines: 100,
        delayMs: 20,
      },
    ),
} as const;

/**
 * `npm run bench`: measures, prints and writes `bench/RESULTS.md`. With the name of a piece of work
 * it does that alone, in this process, and prints what it took.
 */

async function main(): Promise<void> {
  const [, , name, options = ""] = process.argv;
  if (name === "fleet") {
    await serveFleet(__filename, options);
    return;
  }
  if (name === "changes") {
    await serveChanges();
    return;
  }
  if (name === "network") {
    await serveSlowNetwork(options);
    return;
  }
  if (name === "apply" || name === "memory" || name === "up") {
    say(JSON.stringify(await fleetWorks[name]()));
    return;
  }
  const only = works.find((work) => work === name);
  if (only !== undefined) {
    say(JSON.stringify(await measure(only)));
    return;
  }
  const optional = (tool: Promise<string>) =>
    tool.catch((error: unknown) => {
      say(`Not compared with: ${String(error)}`);
      return undefined;
    });
  await runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log));
  const oracles = await optional(ensureOracles(paths.cache, say));
  const talosctl = await optional(
    runStep("talosctl", say, (log) => ensureTalosctl(paths.cache, log)),
  );

  const comparisons: Comparison[] = [];
  for (const work of works) {
    say(`Measuring ${work} …`);
    comparisons.push({
      work,
      ours: inProcess(work) as Measurement,
      oracle: oracles === undefined ? undefined : await measureOracle(oracles, work),
      talosctl: talosctl === undefined ? undefined : await measureTalosctl(talosctl, work),
    });
  }
  say("Measuring many machines (some minutes) …");
  const fleets = {
    apply: inProcess("apply") as ApplyMeasurement,
    memory: inProcess("memory") as MemoryMeasurement,
    up: inProcess("up") as UpMeasurement,
  };
  const report = renderReport(comparisons, fleets, {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cpus: availableParallelism(),
    load: loadavg()[1] ?? 0,
  });
  const file = join(paths.root, "bench/RESULTS.md");
  const suite = readFileSync(file, "utf8").split(SUITE_HEADING)[1];
  writeFileSync(file, suite === undefined ? report : `${report}\n${SUITE_HEADING}${suite}`);
  say(`\n${report}`);
}

/** Has a new process do a piece of work; what it took is the last line that it prints. */
function inProcess(work: Work | keyof typeof fleetWorks): unknown {
  const args = ["--expose-gc", __filename, work];
  const lines = execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as unknown;
}

runMain(main);
