import { describeMachines } from "./describeMachines";
import { describeScalingGroups } from "./describeScalingGroups";
import { describeDuration } from "./duration";
import { groupRisks, groupViolations, mergeUpdates } from "./groups";
import { inputWords } from "./inputWords";
import { describeKarpenterPools } from "./karpenterPools";
import type { PreviewSummary } from "./summarize";
import { describeCost, describeCounts, describeStep } from "./summaryLines";

/**
 * A summary as Markdown, for a comment on a pull request. Its first line, `commentMarker`, is
 * invisible; a later run finds the comment by it.
 */
export function renderMarkdown(summary: PreviewSummary): string {
  const { stack, groups, machines, quorum, cost, risks, violations, warnings } = summary;
  const duration = describeDuration(summary);
  const blocks = [
    commentMarker(stack),
    `### ${escape(stack)}: ${describeCounts(summary)}`,
    groupRisks(risks)
      .map(({ subjects, reason }) => `> ⚠️ **${escape(subjects.join(", "))}**: ${escape(reason)}`)
      .join("\n>\n"),
    groupViolations(violations)
      .map(
        ({ subjects, reason, rule }) =>
          `> **${escape(subjects.join(", "))}**: ${escape(reason)} (policy \`${rule}\`)`,
      )
      .join("\n>\n"),
    warnings.map((text) => `> ${escape(text)}`).join("\n>\n"),
    ...[
      ...describeMachines(machines),
      ...describeScalingGroups(summary.scalingGroups),
      ...describeKarpenterPools(summary.karpenterPools),
    ].map(({ names, what, lines }) => {
      const title = `**${escape(names.join(", "))}** ${escape(what)}`;
      return lines.length === 0 ? `- ${title}` : `- ${title}\n\n${indent(fence("diff", lines))}`;
    }),
    quorum.length === 0 ? "" : "Control plane, one machine after another:",
    table(
      ["", "machine", "healthy members", "needed", "etcd"],
      quorum.map((step, index) => [
        String(index + 1),
        describeStep(step),
        `${step.healthy} of ${step.members}`,
        String(step.needed),
        step.holds ? "goes on" : "**stops**",
      ]),
    ),
    duration === undefined ? "" : `Time: ${duration}`,
    groups.length === 0
      ? ""
      : details(
          "Resources",
          table(
            ["", "resource", "of", "because of"],
            groups.flatMap(({ component, resources }) =>
              mergeUpdates(resources).map(({ operation, kind, names, because }) => [
                operation,
                `${kind} ${names.map((name) => `\`${name}\``).join(", ")}`,
                component,
                because.map((input) => inputWords(kind, input)).join(", "),
              ]),
            ),
          ),
        ),
    `Cost: ${escape(describeCost(cost))}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** The line that identifies the comment about a stack. */
export function commentMarker(stack: string): string {
  return `<!-- talos-aws preview of ${stack.replaceAll("--", "-")} -->`;
}

/** A Markdown table; nothing without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return rows.length === 0
    ? ""
    : [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function details(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Lines as a block of code. */
export function fence(language: string, lines: readonly string[]): string {
  // The fence must be longer than any inside.
  const ticks = "`".repeat(Math.max(3, ...lines.flatMap((line) => runs(line).map((n) => n + 1))));
  return [`${ticks}${language}`, ...lines, ticks].join("\n");
}

/** Indents a block into its list item. */
function indent(block: string): string {
  return block.replace(/^/gm, "  ");
}

function runs(line: string): readonly number[] {
  return (line.match(/`+/g) ?? []).map((run) => run.length);
}

/** Escapes HTML, links and mentions in a name. */
export function escape(text: string): string {
  return text.replace(/[<>[\]@*_`\\]/g, (character) => `\\${character}`);
}
