import type { SmokeResult } from "./smokeStep";

/** What a report is about. */
export interface SmokeReportHead {
  readonly stack: string;
  readonly region: string;
  /** What the engine ran with, for example the releases of Talos and Kubernetes. */
  readonly versions: Readonly<Record<string, string>>;
  readonly at: Date;
}

/** The report of a smoke test, in Markdown. */
export function smokeReport(head: SmokeReportHead, results: readonly SmokeResult[]): string {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const seconds = Math.round(results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000);
  const rows = results.map(
    ({ title, done, expected, seen, outcome, durationMs }) =>
      `| ${[title, done, expected, outcome, seen, `${Math.round(durationMs / 1_000)} s`].map(cell).join(" | ")} |`,
  );
  return [
    `# Smoke test of ${head.stack}: ${failed.length === 0 ? "passed" : `failed at "${failed[0]?.title ?? ""}"`}`,
    "",
    `${head.at.toISOString()}, ${head.region}, ${seconds} s. ${Object.entries(head.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}.`,
    "",
    "| step | done | expected | outcome | seen | time |",
    "| ---- | ---- | -------- | ------- | ---- | ---- |",
    ...rows,
    "",
  ].join("\n");
}

/** A text that stays in its cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
}
