import { stripVTControlCharacters } from "node:util";
import { isPluginWarning } from "../../preview";

/** Sequences that set colors, or none. */
const COLOR = "(?:\\u001b\\[[\\d;]*m)*";

/**
 * The text before a row's message: the operation, its state, the changed properties, or nothing.
 */
const BEFORE_MESSAGE = `(?:[\\])*]|running|create|update|delete|replace|refresh|read|import| ${COLOR} )${COLOR}`;

/** The error at the end of a row. */
const ERROR_IN_ROW = new RegExp(`(?<=${BEFORE_MESSAGE});? ?${COLOR}error: .*$`);

/** The number of messages at the end of a row, such as `1 error; 2 warnings`. */
const COUNT = `${COLOR} ?${COLOR}\\d+ ${COLOR}(?:error|warning|message)s?${COLOR}`;
const COUNTS_IN_ROW = new RegExp(` ${COUNT}(?:; ?${COUNT})*$`);

/** The start of a line that the engine writes while it works, and the dots that it adds. */
const TICKING = new RegExp(`^${COLOR}@ [\\w ]+\\.+${COLOR}$`);
const DOTS = new RegExp(`^(?:${COLOR}\\.${COLOR})*`);

/** A resource's row in the progress that the engine shows, by its type and its name. */
const ROW = /^ {0,4}\S{0,3} +[\w-]+:[\w/-]+:\w+ +\S/;

/**
 * Shows the output of the engine as it comes, without what a failure's message says again: errors in
 * rows and under "Diagnostics:". Warnings about plugins on PATH are left out.
 *
 * Source of the format: `pkg/backend/display` of pulumi v3.230.0. A line in another format is shown.
 */
export class EngineOutput {
  private pending = "";
  private isTicking = false;
  private readonly rows = new Set<string>();
  /**
   * The end of the output, from "Diagnostics:" on. The outcome decides which parts of it are shown.
   */
  private ending: string[] | undefined;

  constructor(private readonly write: (text: string) => void) {}

  /** For the option `onOutput` of an operation. */
  readonly add = (text: string): void => {
    this.pending += this.isTicking ? this.tick(text) : text;
    const lines = this.pending.split("\n");
    this.pending = lines.pop() ?? "";
    lines.forEach((line) => this.showLine(line));
    if (this.ending === undefined && TICKING.test(this.pending)) {
      this.write(this.pending);
      this.pending = "";
      this.isTicking = true;
    }
  };

  /** Shows the rest, when the operation has ended. */
  end({ hasFailed }: { readonly hasFailed: boolean }): void {
    if (this.pending !== "") {
      this.showLine(this.pending);
      this.pending = "";
    }
    if (this.ending !== undefined) {
      const lines = hasFailed ? withoutMessages(this.ending) : withoutPluginWarnings(this.ending);
      this.write(lines.map((line) => `${line}\n`).join(""));
    }
  }

  /**
   * Shows the dots that the engine adds to its last line while it works.
   *
   * @returns what follows them
   */
  private tick(text: string): string {
    const [dots] = DOTS.exec(text) ?? [""];
    this.write(dots);
    const rest = text.slice(dots.length);
    if (rest === "") {
      return "";
    }
    this.isTicking = false;
    this.write("\n");
    return rest.replace(/^\n/, "");
  }

  private showLine(line: string): void {
    if (this.ending !== undefined || stripVTControlCharacters(line) === "Diagnostics:") {
      this.ending = [...(this.ending ?? []), line];
      return;
    }
    const shown = shownLine(line);
    if (shown === undefined || this.rows.has(shown)) {
      return;
    }
    if (isRow(shown)) {
      this.rows.add(shown);
    }
    this.write(`${shown}\n`);
  }
}

function isRow(line: string): boolean {
  return ROW.test(stripVTControlCharacters(line));
}

/** A line in its shown form; undefined for one that contains only messages. */
function shownLine(line: string): string | undefined {
  const text = stripVTControlCharacters(line);
  if (/^\.+$/.test(text)) {
    return undefined;
  }
  if (!isRow(line)) {
    return line;
  }
  const [, warning = ""] = /\bwarning: (.*)$/.exec(text) ?? [];
  if (isPluginWarning(warning)) {
    return undefined;
  }
  const withoutError = line.replace(ERROR_IN_ROW, "");
  if (withoutError !== line) {
    // Of such a row only the outcome is shown: "**creating failed**".
    return withoutError.includes("**") ? withoutError : undefined;
  }
  const withoutCounts = line.replace(COUNTS_IN_ROW, "");
  return withoutCounts !== line && /^ {4}\S+ \S+\s*$/.test(stripVTControlCharacters(withoutCounts))
    ? undefined
    : withoutCounts;
}

/** Without diagnostics, and without outputs, which a failed operation shows as deleted. */
function withoutMessages(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => stripVTControlCharacters(line) === "Resources:");
  return start === -1 ? [] : lines.slice(start);
}

/** Drops the block of a resource that has no other messages. */
function withoutPluginWarnings(lines: readonly string[]): readonly string[] {
  const text = (line: string) => stripVTControlCharacters(line);
  const end = lines.findIndex((line, index) => index > 0 && /^\S/.test(text(line)));
  const [head = "", ...messages] = end === -1 ? lines : lines.slice(0, end);
  const rest = end === -1 ? [] : lines.slice(end);
  const isShown = (line: string) =>
    !isPluginWarning(
      text(line)
        .trim()
        .replace(/^warning: /, ""),
    );
  const blocks = messages
    .join("\n")
    .split(/\n\s*\n/)
    .map((block) => block.split("\n").filter((line) => line.trim() !== "" && isShown(line)))
    .filter(([, firstMessage]) => firstMessage !== undefined);
  return blocks.length === 0 ? rest : [head, ...blocks.flatMap((block) => [...block, ""]), ...rest];
}
