import type { ReportSection } from "./reportSection";

/** What a report is of. */
export interface Report {
  /** The release that is adopted. */
  readonly release: string;
  /** The release that it is compared with. */
  readonly since: string;
  /** The sections, those first that others wait for. */
  readonly sections: readonly ReportSection[];
  /** What the programs of the new release could not do, with the reasons. */
  readonly failures: readonly string[];
  /** The files that the command has written. */
  readonly written: readonly string[];
  /** What comes after the decisions, in this order. */
  readonly next: readonly string[];
}

/** The report as Markdown: what a person decides, first what others wait for. */
export function renderReport({
  release,
  since,
  sections,
  failures,
  written,
  next,
}: Report): string {
  const open = sections.filter(({ points }) => points.length > 0);
  const alike = sections.filter(({ points }) => points.length === 0);
  const count = open.reduce((sum, { points }) => sum + points.length, 0);
  return [
    `# Talos ${release}, compared with ${since}`,
    `${numbered(count, "point")} in ${numbered(open.length, "part")} ${count === 1 ? "is" : "are"} to be decided. Files of Talos are named as in its repository.`,
    ...(failures.length === 0
      ? []
      : [
          "## What could not be done",
          "Correct this first, then run the command again: without it, the report is incomplete.",
          listOf(failures),
        ]),
    ...open.map((section, index) => renderSection(section, index + 1)),
    ...(alike.length === 0
      ? []
      : [
          "## Alike in both releases",
          listOf(
            alike.map(
              ({ title, ours }) =>
                `${title}${ours.length === 0 ? "" : `: ${ours.map((file) => `\`${file}\``).join(", ")}`}`,
            ),
          ),
        ]),
    "## Generated files",
    written.length === 0 ? "None was written." : listOf(written.map((file) => `\`${file}\``)),
    "## Then",
    next.map((step, index) => `${index + 1}. ${step}`).join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

function renderSection(section: ReportSection, number: number): string {
  const { title, question, upstream, ours, points } = section;
  const files = (label: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${label}: ${paths.map((path) => `\`${path}\``).join(", ")}.`];
  const from = [...files("Talos", upstream), ...files("Ours", ours)].join(" ");
  return [
    `## ${number}. ${title} (${points.length})`,
    question,
    ...(from === "" ? [] : [from]),
    listOf(points),
  ].join("\n\n");
}

function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
