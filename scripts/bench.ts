import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { measureOracle, measureTalosctl } from "../bench/others";
import { type Comparison, renderReport } from "../bench/report";
import { measure, type Measurement, type Work, works } from "../bench/work";
import { ensureOracles } from "./ensureOracles";
import { ensureTalosctl } from "./ensureTalosctl";
import { paths } from "./paths";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/**
 * `npm run bench`: measures, prints and writes `bench/RESULTS.md`. With the name of a piece of work
 * it does that alone, in this process, and prints what it took.
 */
async function main(): Promise<void> {
  const only = works.find((work) => work === process.argv[2]);
  if (only !== undefined) {
    say(JSON.stringify(await measure(only)));
    return;
  }
  const optional = (tool: Promise<string>) =>
    tool.catch((error: unknown) => {
      say(`Not compared with: ${String(error)}`);
      return undefined;
    });
  const oracles = await optional(ensureOracles(paths.cache, say));
  const talosctl = await optional(ensureTalosctl(paths.cache, say));

  const comparisons: Comparison[] = [];
  for (const work of works) {
    say(`Measuring ${work} …`);
    comparisons.push({
      work,
      ours: measureOurs(work),
      oracle: oracles === undefined ? undefined : await measureOracle(oracles, work),
      talosctl: talosctl === undefined ? undefined : await measureTalosctl(talosctl, work),
    });
  }
  const report = renderReport(comparisons, {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cpus: availableParallelism(),
  });
  writeFileSync(join(paths.root, "bench/RESULTS.md"), report);
  say(`\n${report}`);
}

function measureOurs(work: Work): Measurement {
  const args = ["--expose-gc", __filename, work];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Measurement;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
