import type { EngineUsage } from "./engineProcesses";
import type { LoadMeasurement } from "./loadWork";
import { significant, table } from "./markdown";
import { median } from "./median";
import type { StackKind } from "./stackPrograms";
import type { StackMeasurement, StepMeasurement } from "./stackWork";

/** When and where something was measured. */
export interface MeasuredWhere {
  readonly date: string;
  readonly node: string;
  readonly cpus: number;
  readonly load: number;
}

type StepName = "up" | "preview" | "same" | "label";

const steps: readonly (readonly [StepName, string])[] = [
  ["up", "first `up`"],
  ["preview", "`preview`, no change"],
  ["same", "`up`, no change"],
  ["label", "`up`, one label changed"],
];

/** The section of what users ask first. */
export function renderShort(
  loading: LoadMeasurement,
  stacks: readonly StackMeasurement[],
  where: MeasuredWhere,
): string {
  const size = stacks[0]?.size ?? 0;
  const cpu = (name: StepName) => ratio(stacks, name, cpuSeconds);
  const loads = `${ms(loading.requireMs)}, ${ms(loading.firstCheckMs)}`;
  return `## In short

${table([
  ["what", "took", "goal"],
  [`\`preview\` of ${size} machines' configurations, ÷ the bare engine`, cpu("preview"), "1.3"],
  [`\`up\` of them without a change, ÷ the bare engine`, cpu("same"), "1.5"],
  [`the first \`up\` of them, ÷ the bare engine`, cpu("up"), "1.5"],
  [
    "the state of each, with its encrypted text",
    kilobytes(perResource(stacks)),
    "8 kB beside the text",
  ],
  ['`require("pulumi-talos-aws")`, the plugin\'s first check', loads, "150 ms, 400 ms"],
])}

Written by \`npm run bench -- peers\` on ${where.date} with Node.js ${where.node} on ${where.cpus} processors, for
which ${where.load.toFixed(1)} processes waited on average. Figures are processor time, because other work on a machine changes it less than time:
the medians of new processes. "Bare engine" is a stack with as many resources that do nothing. The engine indents the state; without that and the
text, a configuration takes less than 7 kB, which \`npm test -- engine providerOnly\` holds.

With each of the package's names used, \`require\` takes ${ms(loading.allMs)}: a program of ECMAScript modules always does. Each later check of another
machine's configuration takes ${significant(loading.nextCheckMs)} ms.
`;
}

/** The section on our resources beside ones that do nothing. */
export function renderPeers(stacks: readonly StackMeasurement[]): string {
  const size = stacks[0]?.size ?? 0;
  const rows = steps.map(([name, title]) => [
    title,
    `${seconds(stacks, "configurations", name)} s`,
    `${seconds(stacks, "nothing", name)} s`,
    ratio(stacks, name, (step) => step.seconds),
    ratio(stacks, name, cpuSeconds),
    parts(stacks, "configurations", name),
    parts(stacks, "nothing", name),
  ]);
  return `## Beside the bare engine

Written by \`npm run bench -- peers\`: a cluster's secrets and ${size} machine configurations, each with patches of its own, and as many resources
that do nothing. Median of ${stacks.filter(({ kind }) => kind === "nothing").length} runs of each, which alternate.

${table([["", "ours", "nothing", "ratio of time", "ratio of processor time", "ours: engine, plugin, program", "nothing"], ...rows])}

The state takes ${kilobytes(perResource(stacks))} for each configuration, ${kilobytes(perResource(stacks, "nothing"))} for each resource that does nothing. The last two columns are seconds
of processor time. The first \`up\` also makes the cluster's keys, which takes about a second and varies with luck.
`;
}

/**
 * The section on the same machines by terraform.
 *
 * @param version terraform's, such as "v1.11.4"
 */
export function renderTerraform(
  stacks: readonly StackMeasurement[],
  version: string,
  where: MeasuredWhere,
): string {
  const size = stacks[0]?.size ?? 0;
  const terraform = stacks.filter(({ kind }) => kind === "terraform");
  const rows = steps.map(([name, title]) => [
    title.replace("preview", "preview` / `plan").replaceAll("`up`", "`up` / `apply`"),
    ...(["configurations", "terraform"] as const).map(
      (kind) =>
        `${seconds(stacks, kind, name)} s, ${medianOf(stacks, kind, (stack) => cpuSeconds(stack[name])).toFixed(1)} s`,
    ),
  ]);
  return `## Beside terraform

Written by \`npm run bench -- peers\` on ${where.date} on ${where.cpus} processors, for which ${where.load.toFixed(1)} processes waited on average: the secrets and ${size}
configurations of the section before, and the same by terraform ${version} and the terraform-provider-talos on PATH. Median of ${terraform.length} runs of
each, which alternate. Each figure is seconds, and seconds of processor time. Terraform's configurations are data sources: it computes each anew in each
command, and compares none.

${table([["", "ours", "terraform"], ...rows])}

The state takes ${kilobytes(perResource(stacks))} for each configuration of ours, and ${kilobytes(perResource(stacks, "terraform"))} for each of terraform's, which holds the cluster's keys in clear.
`;
}

/** The section on whole clusters of ever more machines. */
export function renderScale(stacks: readonly StackMeasurement[], where: MeasuredWhere): string {
  const titles = ["machines", "resources", ...steps.map(([, title]) => title), "state"];
  const rows = stacks.map((stack) => [
    String(stack.size),
    String(stack.resources),
    ...steps.map(([name]) => spent(stack[name])),
    kilobytes(stack.stateBytes),
  ]);
  const roles = ["engine", "plugin", "program", "aws"] as const;
  const memory = stacks.map((stack) => [
    String(stack.size),
    ...roles.map((role) => peak(stack, role)),
  ]);
  return `## Whole clusters in one stack

Written by \`npm run bench -- scale\` on ${where.date} on ${where.cpus} processors, for which ${where.load.toFixed(1)} processes waited on average: clusters on the
emulated cloud, with pools of at most 300. A thousand machines are four clusters with five control plane machines each. Each figure is seconds, and the seconds
of processor time of the engine, its plugins and the program. The engine writes the state once, at the end (\`PULUMI_SKIP_CHECKPOINTS\`).

${table([titles, ...rows])}

The most memory that a process of each kind had. "aws" is what stands in for the AWS plugin here.

${table([["machines", ...roles], ...memory])}
`;
}

/** The section on ever more configurations of machines alone. */
export function renderConfigurations(
  stacks: readonly StackMeasurement[],
  where: MeasuredWhere,
): string {
  const rows = stacks.map((stack) => [
    String(stack.size),
    ...steps.map(([name]) => spent(stack[name])),
    ...(["engine", "plugin", "program"] as const).map((role) => peak(stack, role)),
    kilobytes(stack.stateBytes),
  ]);
  return `## Many configurations in one stack

Written by \`npm run bench -- configurations\` on ${where.date} on ${where.cpus} processors, for which ${where.load.toFixed(1)} processes waited on average: a cluster's
secrets, and a configuration with patches of its own for each machine. Figures as in the section on whole clusters.

${table([["machines", ...steps.map(([, title]) => title), "engine", "plugin", "program", "state"], ...rows])}
`;
}

/** The section on what helps beyond one stack. */
export function renderBeyond(
  variants: readonly (readonly [title: string, stack: StackMeasurement])[],
): string {
  const rows = variants.map(([title, stack]) => [
    title,
    ...steps.map(([name]) => `${stack[name].seconds.toFixed(1)} s`),
    `${cpuSeconds(stack.up).toFixed(1)} s`,
  ]);
  return `## What helps with more

Written by \`npm run bench -- beyond\`: the same with ${variants[0]?.[1].size ?? 0} machines and another setting each time. One run of each.

${table([["setting", ...steps.map(([, title]) => title), "processor time of the first"], ...rows])}
`;
}

function cpuSeconds({ usage }: StepMeasurement): number {
  return Object.values(usage).reduce((total, { cpuSeconds: one }) => total + one, 0);
}

/** Seconds, and seconds of processor time. */
function spent(step: StepMeasurement): string {
  return `${step.seconds.toFixed(1)}, ${cpuSeconds(step).toFixed(1)}`;
}

function medianOf(
  stacks: readonly StackMeasurement[],
  kind: StackMeasurement["kind"],
  of: (stack: StackMeasurement) => number,
): number {
  return median(stacks.filter((stack) => stack.kind === kind).map(of));
}

function seconds(
  stacks: readonly StackMeasurement[],
  kind: StackMeasurement["kind"],
  name: StepName,
): string {
  return medianOf(stacks, kind, (stack) => stack[name].seconds).toFixed(1);
}

function ratio(
  stacks: readonly StackMeasurement[],
  name: StepName,
  of: (step: StepMeasurement) => number,
): string {
  const each = (kind: StackKind) => medianOf(stacks, kind, (stack) => of(stack[name]));
  return significant(each("configurations") / each("nothing"));
}

function parts(stacks: readonly StackMeasurement[], kind: StackKind, name: StepName): string {
  return (["engine", "plugin", "program"] as const)
    .map((role) => medianOf(stacks, kind, (stack) => stack[name].usage[role].cpuSeconds))
    .map((value) => value.toFixed(1))
    .join(", ");
}

/** Bytes of the state for each resource, of all that is in it. */
function perResource(
  stacks: readonly StackMeasurement[],
  kind: StackMeasurement["kind"] = "configurations",
): number {
  return medianOf(stacks, kind, ({ stateBytes, size }) => stateBytes / size);
}

function peak(stack: StackMeasurement, role: keyof EngineUsage): string {
  const peaks = steps.map(([name]) => stack[name].usage[role].peakMiB);
  return `${Math.max(...peaks).toFixed(0)} MiB`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
