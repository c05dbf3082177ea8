import type { Changes } from "./changes";

/** A part of the report: something that a person decides, and what has to be known for that. */
export interface ReportSection {
  readonly title: string;
  /** What there is to decide. */
  readonly question: string;
  /** The files of Talos that the facts come from. */
  readonly upstream: readonly string[];
  /** The files of ours that the decision goes into; a path with `*` is of any release. */
  readonly ours: readonly string[];
  /** Markdown, one fact each; empty where the releases are alike. */
  readonly points: readonly string[];
}

/** The points of a comparison. */
export function pointsOf(
  what: string,
  { came, went, changed }: Changes,
  about: (name: string) => string = () => "",
): string[] {
  return [
    ...went.map((name) => `${what} ${code(name)} is gone${about(name)}`),
    ...changed.map(
      ({ name, before, after }) =>
        `${what} ${code(name)}: ${code(before)} → ${code(after)}${about(name)}`,
    ),
    ...came.map((name) => `${what} ${code(name)} is new${about(name)}`),
  ];
}

/** A text as code in Markdown. */
export function code(text: string): string {
  return text === "" ? "nothing" : `\`${text.replaceAll("`", "'")}\``;
}

/** Names as code, `none` without any. */
export function codes(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map(code).join(", ");
}
