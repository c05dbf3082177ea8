import type { MachineEffect } from "./machineChange";
import { escape, fence, renderMarkdown, table } from "./renderMarkdown";
import { renderText, type TextOptions } from "./renderText";
import type { ScalingEffect } from "./scalingGroupChange";
import { hasChanges, type PreviewSummary } from "./summarize";
import { describeCostChange, describeCounts } from "./summaryLines";

/** The preview of one stack of several: its summary, or why it failed. */
export type StackReport = { readonly stack: string } & (
  { readonly summary: PreviewSummary } | { readonly error: string }
);

/** Effects that take a machine away for a while, or for good. */
const AWAY: readonly MachineEffect[] = [
  "reboot",
  "open",
  "upgrade",
  "restart",
  "replaced",
  "removed",
];

/** Effects that end the machines of an auto scaling group. */
const ENDING: readonly ScalingEffect[] = ["refreshed", "replaced", "ended"];

/**
 * The previews of several stacks as one Markdown page: a table with a row for each, failed ones
 * first, then the summary of each with changes or risks. Its first line is invisible and names the stacks.
 */
export function renderReportsMarkdown(reports: readonly StackReport[]): string {
  const ordered = inOrder(reports);
  const names = reports.map(({ stack }) => stack).join(", ");
  const blocks = [
    `<!-- talos-aws preview of ${names.replaceAll("--", "-")} -->`,
    `### ${describeReports(reports)}`,
    table(
      ["stack", "resources", "machines away for a while", "risks and violations", "cost"],
      ordered.map((report) => [escape(report.stack), ...cells(report)]),
    ),
    ...ordered.flatMap((report) => {
      if ("error" in report) {
        const lines = fence("", report.error.split("\n"));
        return [`**${escape(report.stack)}** has no preview:\n\n${lines}`];
      }
      return isTold(report.summary) ? [renderMarkdown(report.summary).trimEnd()] : [];
    }),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The same as text for a terminal or a log. */
export function renderReportsText(
  reports: readonly StackReport[],
  options: TextOptions = {},
): string {
  const blocks = inOrder(reports).map((report) =>
    "error" in report
      ? `${report.stack}: no preview\n\n${report.error.replace(/^/gm, "  ")}\n`
      : renderText(report.summary, options),
  );
  return [...blocks, `${describeReports(reports)}\n`].join("\n");
}

/** How many stacks change, stay and failed, in one line. */
function describeReports(reports: readonly StackReport[]): string {
  const count = (kind: number) => reports.filter((report) => rank(report) === kind).length;
  const parts = [
    [count(1), "with changes"],
    [count(2), "without changes"],
    [count(0), "without a preview"],
  ] as const;
  const told = parts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]));
  return `${reports.length} stacks: ${told.join(", ")}`;
}

/** Failed ones first, then those with changes; else in the given order. */
function inOrder(reports: readonly StackReport[]): readonly StackReport[] {
  return [...reports].sort((one, other) => rank(one) - rank(other));
}

function rank(report: StackReport): number {
  if ("error" in report) {
    return 0;
  }
  return hasChanges(report.summary) ? 1 : 2;
}

/** Whether a reviewer should read more of a stack than its row. */
function isTold(summary: PreviewSummary): boolean {
  const { risks, violations, warnings } = summary;
  return hasChanges(summary) || risks.length + violations.length + warnings.length > 0;
}

function cells(report: StackReport): readonly string[] {
  if ("error" in report) {
    return ["**failed**", "", "", ""];
  }
  const { machines, scalingGroups, risks, violations, cost } = report.summary;
  const away = machines.filter(({ effect }) => AWAY.includes(effect)).length;
  const groups = scalingGroups.filter(({ effect }) => ENDING.includes(effect)).length;
  return [
    describeCounts(report.summary),
    groups === 0 ? String(away) : `${away}, and those of ${countGroups(groups)}`,
    String(risks.length + violations.length),
    describeCostChange(cost),
  ];
}

function countGroups(count: number): string {
  return count === 1 ? "1 auto scaling group" : `${count} auto scaling groups`;
}
