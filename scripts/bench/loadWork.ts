import { execFileSync } from "node:child_process";
import { paths } from "../paths";
import { median } from "./median";
import { machineCount, sampleInput } from "./sample";

/** Processor time, in milliseconds, of what users wait for before anything of theirs happens. */
export interface LoadMeasurement {
  /** `require("pulumi-talos-aws")`, where Pulumi's own packages are loaded already. */
  readonly requireMs: number;
  /** The same and each of its names, as an ECMAScript module or a program with everything in it does. */
  readonly allMs: number;
  /** From the plugin's start on, beyond Pulumi's SDK, until the first configuration is checked. */
  readonly firstCheckMs: number;
  /** Each later check of another machine's configuration. */
  readonly nextCheckMs: number;
}

const ROUNDS = 7;
const CHECKS = 50;

const CPU = `const cpu = () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); return (userCPUTime + systemCPUTime) / 1000; };`;

const REQUIRE = `${CPU}
require("@pulumi/pulumi"); require("@pulumi/aws");
const start = cpu();
const all = require("pulumi-talos-aws");
const required = cpu();
for (const name of Object.keys(all)) void all[name];
console.log(JSON.stringify([required - start, cpu() - start]));
process.exit();`;

const CHECK = `${CPU}
require("@pulumi/pulumi");
(async () => {
  const inputs = await require("node:stream/consumers").json(process.stdin);
  const start = cpu();
  const { serve } = require("pulumi-talos-aws/provider/serve");
  const times = [];
  for (const given of inputs) {
    const { failures } = await serve("MachineConfiguration").check({}, given);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    times.push(cpu() - start);
  }
  console.log(JSON.stringify([times[0], (times.at(-1) - times[0]) / (times.length - 1)]));
  process.exit();
})();`;

/** Measures it, each time in a new process; the medians. */
export async function measureLoading(): Promise<LoadMeasurement> {
  const { installerImage, ...input } = await sampleInput();
  const inputs = Array.from({ length: Math.min(CHECKS, machineCount) }, (_, index) => ({
    ...input,
    platform: "metal",
    patches: [{ machine: { nodeLabels: { "example.com/machine": `machine-${index}` } } }],
    __urn: `urn:${index}`,
  }));
  const loads = rowsOf(REQUIRE, "");
  const first = rowsOf(CHECK, JSON.stringify(inputs));
  const column = (rows: readonly number[][], index: number) =>
    median(rows.map((row) => row[index] ?? 0));
  return {
    requireMs: column(loads, 0),
    allMs: column(loads, 1),
    firstCheckMs: column(first, 0),
    nextCheckMs: column(first, 1),
  };
}

function rowsOf(code: string, input: string): number[][] {
  return Array.from({ length: ROUNDS }, () => {
    const args = ["--input-type=commonjs", "-e", code];
    const options = { cwd: paths.root, encoding: "utf8", input } as const;
    return JSON.parse(execFileSync(process.execPath, args, options)) as number[];
  });
}
