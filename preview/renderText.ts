import { styleText } from "node:util";
import { type DescribedMachines, describeMachines } from "./describeMachines";
import { describeScalingGroups } from "./describeScalingGroups";
import { describeDuration } from "./duration";
import { groupRisks, groupViolations } from "./groups";
import { inputWords } from "./inputWords";
import { describeKarpenterPools } from "./karpenterPools";
import type { QuorumStep } from "./quorumSteps";
import type { ChangedResource, PreviewSummary } from "./summarize";
import { describeCost, describeCounts, describeStep } from "./summaryLines";

/** The look of a summary on a terminal. */
export interface TextOptions {
  /** Default: false. */
  readonly color?: boolean;
}

type Style = "green" | "yellow" | "magenta" | "red" | "bold" | "dim";

const marks: Readonly<Record<ChangedResource["operation"], readonly [string, Style]>> = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  replace: ["±", "magenta"],
  delete: ["-", "red"],
};

/** A summary as text for a terminal or a log. */
export function renderText(summary: PreviewSummary, options: TextOptions = {}): string {
  const paint = (style: Style, text: string) =>
    // The caller decides about colours, not this process' output.
    options.color === true ? styleText(style, text, { validateStream: false }) : text;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", paint("bold", title), ...lines.map((line) => `  ${line}`)];
  const resource = ({ operation, kind, name, because }: ChangedResource) => {
    const [mark, style] = marks[operation];
    const causes = because.map((input) => inputWords(kind, input)).join(", ");
    const reason = causes === "" ? "" : paint("dim", ` (${causes})`);
    return `  ${paint(style, mark)} ${kind} ${name}${reason}`;
  };
  const changedMachines = ({ names, what, lines }: DescribedMachines) => [
    `${names.join(", ")}: ${what}`,
    ...lines.map((line) => `  ${paint(line.startsWith("-") ? "red" : "green", line)}`),
  ];
  const { stack, groups, machines, quorum, cost, risks, violations } = summary;
  const duration = describeDuration(summary);
  const lines = [
    paint("bold", `${stack}: ${describeCounts(summary)}`),
    ...section(
      "Risks",
      groupRisks(risks).map(({ subjects, reason }) =>
        paint("red", `! ${subjects.join(", ")}: ${reason}`),
      ),
    ),
    ...section(
      "Violated policies",
      groupViolations(violations).map(({ subjects, reason, rule }) =>
        paint("yellow", `! ${subjects.join(", ")}: ${reason} (${rule})`),
      ),
    ),
    ...section("Machines", describeMachines(machines).flatMap(changedMachines)),
    ...section(
      "Auto scaling groups",
      describeScalingGroups(summary.scalingGroups).flatMap(changedMachines),
    ),
    ...section(
      "Pools of Karpenter",
      describeKarpenterPools(summary.karpenterPools).flatMap(changedMachines),
    ),
    ...section("Control plane, one machine after another", quorum.map(stepLine)),
    ...section("Time", duration === undefined ? [] : [duration]),
    ...section(
      "Resources",
      groups.flatMap(({ component, resources }) => [component, ...resources.map(resource)]),
    ),
    ...section("Cost", [describeCost(cost)]),
  ];
  return `${lines.join("\n")}\n`;
}

function stepLine(step: QuorumStep, index: number): string {
  const { members, healthy, needed, holds } = step;
  const verdict = holds ? "etcd goes on" : "etcd stops";
  return `${index + 1}. ${describeStep(step)}: ${healthy} of ${members} members healthy, ${needed} needed: ${verdict}`;
}
