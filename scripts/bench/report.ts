import type { ApplyMeasurement, ChangeTimes, MemoryMeasurement } from "./fleetWork";
import { significant, table } from "./markdown";
import type { UpMeasurement } from "./upWork";
import type { Measurement, Work } from "./work";

/** One piece of work, as each program did it. */
export interface Comparison {
  readonly work: Work;
  readonly ours: Measurement;
  /** Absent where there is no Go to build it with. */
  readonly oracle: Measurement | undefined;
  readonly talosctl: Measurement | undefined;
}

const titles: Readonly<Record<Work, string>> = {
  secrets: "a secrets bundle",
  generate: "generate a configuration",
  patch: "patch, validate and render a configuration",
};

/** The results as sections of a page: how we compare, in one run on one machine. */
export function renderReport(
  comparisons: readonly Comparison[],
  {
    apply,
    up,
    memory,
  }: {
    readonly apply: ApplyMeasurement;
    readonly up: UpMeasurement;
    readonly memory: MemoryMeasurement;
  },
  about: {
    readonly date: string;
    readonly node: string;
    readonly cpus: number;
    readonly load: number;
  },
): string[] {
  const rows = comparisons.map(({ work, ours, oracle, talosctl }) => [
    titles[work],
    milliseconds(ours),
    ratio(ours, oracle),
    ratio(ours, talosctl),
    mebibytes(ours.peakMiB),
    mebibytes(oracle?.peakMiB),
    mebibytes(ours.heapGrowthMiB),
  ]);
  const bulk = comparisons.find(({ work }) => work === "patch")?.ours;
  const work = `## Beside Talos' own code

Written by \`npm run bench\` on ${about.date} with Node.js ${about.node} on ${about.cpus} processors, for
which ${about.load.toFixed(1)} processes waited on average: many more than there are spoil the times, those of many
machines most of all. Times are of that machine;
what can be compared are the ratios, which are of one run: our time divided by that of Talos' own
code doing the same in one process (below 1: we are faster), and by that of \`talosctl\` started for
each, as a script would.

${table([
  [
    "each",
    "ours",
    "÷ Talos' code",
    "÷ talosctl",
    "our peak memory",
    "peak of Talos' code",
    "our heap growth",
  ],
  ...rows,
])}

${bulk === undefined ? "" : `${bulk.times.toLocaleString("en")} configurations, each with a patch of its own, took ${bulk.seconds.toFixed(1)} s in one process; the budget is 5 s.\n`}
The work, each in a process that does nothing else:

- **${titles.secrets}**: four certificate authorities, tokens and the service account's key, RSA with 4,096 bits, which
  takes nearly all the time and varies with luck.
- **${titles.generate}**: from options to text, for a control plane machine.
- **${titles.patch}**: from text and a patch to text, as a preview does for each machine. Ours also
  computes the hash and the rendering without secrets, which the others don't; Talos' code reads the
  text only once, we for each machine.
`;
  const machines = `## Many machines

${table([
  [
    "a change of",
    "one machine",
    `${apply.machines} at once`,
    "that is",
    "budget",
    "handlers",
    "machines",
  ],
  changeRow("workers of a pool", apply.pool, "2 times"),
  changeRow("workers that differ", apply.differing, "2 times"),
  changeRow("the same, each dialled itself", apply.direct, "—"),
])}

- **change**: another label for a machine that runs, from the check of \`ConfigurationApply\` until the
  machine says that it runs the configuration. All handlers run in one process, which has loaded the package
  and done nothing else, as the engine starts its plugin anew for each run; all simulated machines run in another.
  Bytes take ${apply.delayMs} ms to what is dialled, and as long back. Median of several times.
- **workers of a pool**: as a \`TalosCluster\` has them: they are reached through a control plane machine that forwards,
  and have one configuration, which is rendered once.
- **workers that differ**: each has a patch of its own over that: certificate names, labels, a sysctl and a host name. The
  patch is read, and the configuration rendered, for each of them, by the same processor.
- **handlers**, **machines**: processor time of all threads of the one process and of the other, for each
  of the ${apply.machines}. Where that is more than the processors have in the time of one machine, the many wait for it, not for
  the network.

${table([
  ["what", "took", "budget"],
  ["`pulumi up` of one machine", `${up.oneSeconds.toFixed(1)} s`, "—"],
  [
    `\`pulumi up\` of ${up.machines} machines`,
    `${up.allSeconds.toFixed(1)} s, ${significant(up.allSeconds / up.oneSeconds)} times that`,
    "—",
  ],
  [
    `run ${memory.controlPlanes} control planes and ${memory.workers} workers`,
    mebibytes(memory.peakMiB),
    "1024 MiB",
  ],
])}

- **\`pulumi up\`**: a change like that by the real engine, of the only machine of a stack, and of all machines of
  another, with \`--parallel 100\` as \`talos-aws up\` has it. Most of it is the engine's: it writes the whole state down
  before and after each resource that changes.
- **run**: the most memory that the process of the simulated machines ever had. They are one cluster: each
  is ready and has discovered all others, etcd has every control plane machine as a member.
`;
  return [work, machines];
}

function changeRow(
  way: string,
  { oneSeconds, allSeconds, cpuMs }: ChangeTimes,
  budget: string,
): string[] {
  return [
    way,
    `${(oneSeconds * 1000).toFixed(0)} ms`,
    `${(allSeconds * 1000).toFixed(0)} ms`,
    `${significant(allSeconds / oneSeconds)} times`,
    budget,
    `${significant(cpuMs.handlers)} ms`,
    `${significant(cpuMs.machines)} ms`,
  ];
}

function milliseconds({ seconds, times }: Measurement): string {
  return `${significant((seconds / times) * 1000)} ms`;
}

function ratio(ours: Measurement, other: Measurement | undefined): string {
  return other === undefined
    ? "—"
    : significant(ours.seconds / ours.times / (other.seconds / other.times));
}

function mebibytes(amount: number | undefined): string {
  return amount === undefined ? "—" : `${amount.toFixed(0)} MiB`;
}
