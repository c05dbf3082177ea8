import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { serveChanges } from "./bench/changes";
import { serveCloud, startCloudProcess } from "./bench/cloudProcess";
import { serveFleet } from "./bench/fleetProcess";
import {
  type ApplyMeasurement,
  measureApply,
  measureMemory,
  type MemoryMeasurement,
} from "./bench/fleetWork";
import { measureLoading } from "./bench/loadWork";
import { withSection } from "./bench/markdown";
import { measureOracle, measureTalosctl } from "./bench/others";
import { type Comparison, renderReport } from "./bench/report";
import { serveSlowNetwork } from "./bench/slowNetwork";
import {
  type MeasuredWhere,
  renderBeyond,
  renderConfigurations,
  renderPeers,
  renderScale,
  renderShort,
  renderTerraform,
} from "./bench/stackReport";
import { measureStack, type StackMeasurement, type StackWork } from "./bench/stackWork";
import { findTerraform, measureTerraform, terraformVersion } from "./bench/terraform";
import { type UpMeasurement, measureUp } from "./bench/upWork";
import { measure, type Measurement, type Work, works } from "./bench/work";
import { ensureOracles } from "./ensureOracles";
import { ensurePulumi } from "./ensurePulumi";
import { ensureTalosctl } from "./ensureTalosctl";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";

/** Each command writes its own sections of it; what others wrote, and what people did, stays. */
const results = join(paths.root, "scripts/bench/RESULTS.md");

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** The engine, for a process whose output is what it measured. */
function silentEngine(): Promise<PulumiCommand> {
  return runStep(
    "pulumi",
    () => undefined,
    (log) => ensurePulumi(paths.cache, log),
  );
}

/** What is measured of many machines; each is done in a process of its own too. */
const fleetWorks = {
  apply: () => measureApply(__filename, { machines: 100, delayMs: 20 }),
  memory: () => measureMemory(__filename, { controlPlanes: 7, workers: 193 }),
  up: async () =>
    measureUp(__filename, await silentEngine(), {
      machines: 100,
      delayMs: 20,
    }),
} as const;

/** How many machines the stack has that is measured beside the bare engine, and how often. */
const peers = { size: 50, rounds: 3 };
const scale = [10, 100, 1_000];
/** Has the engine write the state once, at the end (pulumi v3.230.0, sdk/go/common/util/env). */
const withoutCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "true" };
const beyond = { size: 100, parallel: 8 };

/**
 * `npm run bench`: measures, prints and writes `scripts/bench/RESULTS.md`. `npm run bench -- peers`, `scale`,
 * `configurations` and `beyond` measure stacks, and write their sections of it; `scale 10,100` takes
 * these numbers of machines. `peers` also measures terraform, if terraform and terraform-provider-talos
 * are on PATH. With the name of a piece of work it does that alone, in this process, and prints what
 * it took.
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
  if (name === "cloud") {
    await serveCloud();
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
  if (name === "stack") {
    const engine = await silentEngine();
    say(JSON.stringify(await measureStack(engine, JSON.parse(options) as StackWork)));
    return;
  }
  if (name !== undefined && isSectionName(name)) {
    await runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log));
    const sizes = options === "" ? scale : options.split(",").map(Number);
    write(...(await stackSections[name](sizes)));
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
  write(...renderReport(comparisons, fleets, where()));
}

/** What each command that measures stacks writes. */
const stackSections = {
  peers: async () => {
    const loading = await measureLoading();
    const stacks: StackMeasurement[] = [];
    const terraform = findTerraform();
    if (terraform === undefined) {
      say("Not compared with terraform: it or terraform-provider-talos isn't on PATH.");
    }
    for (let round = 0; round < peers.rounds; round++) {
      stacks.push(stackInProcess({ kind: "nothing", size: peers.size }));
      stacks.push(stackInProcess({ kind: "configurations", size: peers.size }));
      if (terraform !== undefined) {
        say(`Measuring terraform: configurations of ${peers.size} machines …`);
        stacks.push(await measureTerraform(terraform, peers.size));
      }
    }
    return [
      renderShort(loading, stacks, where()),
      renderPeers(stacks),
      ...(terraform === undefined
        ? []
        : [renderTerraform(stacks, terraformVersion(terraform), where())]),
    ];
  },
  scale: async (sizes: readonly number[]) => {
    const stacks: StackMeasurement[] = [];
    for (const size of sizes) {
      stacks.push(await clustersInProcess(size));
    }
    return [renderScale(stacks, where())];
  },
  configurations: (sizes: readonly number[]) => {
    const stacks = sizes.map((size) =>
      stackInProcess({ kind: "configurations", size, environment: withoutCheckpoints }),
    );
    return Promise.resolve([renderConfigurations(stacks, where())]);
  },
  beyond: () => {
    const work = { kind: "configurations", size: beyond.size } as const;
    const stacks = [
      ["as `talos-aws up` does it", stackInProcess(work)],
      [`\`--parallel ${beyond.parallel}\``, stackInProcess({ ...work, parallel: beyond.parallel })],
      ["`PULUMI_SKIP_CHECKPOINTS`", stackInProcess({ ...work, environment: withoutCheckpoints })],
      ["half of them, for two stacks", stackInProcess({ ...work, size: beyond.size / 2 })],
    ] as const;
    return Promise.resolve([renderBeyond(stacks)]);
  },
} as const;

function isSectionName(name: string): name is keyof typeof stackSections {
  return Object.hasOwn(stackSections, name);
}

/** Whole clusters, on a cloud that is gone afterwards. */
async function clustersInProcess(size: number): Promise<StackMeasurement> {
  const cloud = await startCloudProcess(__filename);
  try {
    return stackInProcess({
      kind: "clusters",
      size,
      pluginDirs: [cloud.pluginDir],
      environment: { ...cloud.environment, ...withoutCheckpoints },
    });
  } finally {
    await cloud.stop();
  }
}

function stackInProcess(work: StackWork): StackMeasurement {
  say(`Measuring a stack: ${work.kind} of ${work.size} machines …`);
  return inProcess("stack", JSON.stringify(work)) as StackMeasurement;
}

function where(): MeasuredWhere {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cpus: availableParallelism(),
    load: loadavg()[1] ?? 0,
  };
}

function write(...sections: readonly string[]): void {
  const page = [...sections].reverse().reduce(withSection, readFileSync(results, "utf8"));
  writeFileSync(results, page);
  say(`\n${sections.join("\n")}`);
}

/** Has a new process do a piece of work; what it took is the last line that it prints. */
function inProcess(work: Work | keyof typeof fleetWorks | "stack", options = ""): unknown {
  const args = [...process.execArgv, "--expose-gc", __filename, work, options];
  const lines = execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as unknown;
}

runMain(main);
