import { isOnlyOldValue, readsAsText, resolveScalar } from "./yamlScalar";

/** The indentation of Talos' YAML. */
export const INDENT_WIDTH = 4;

/**
 * How a release of Talos writes texts: the release of go.yaml.in/yaml v4 in it, rc.3 and rc.4 until
 * v1.13, rc.6 since v1.14. rc.6 puts texts that only YAML 1.1 reads as something else into single
 * quotes, and lets the reader find out the indentation of a block that begins with an empty line.
 */
export type YamlDialect = "rc.4" | "rc.6";

/** The dialect of a Talos minor: 13 is v1.13. */
export function yamlDialect(talosMinor: number): YamlDialect {
  return talosMinor < 14 ? "rc.4" : "rc.6";
}

/**
 * A text as Talos writes it: plain, quoted, or as a block.
 *
 * @param contentIndent of the lines of a block
 * @param parentIndent of what the text is in
 * @param options.forYaml12 whether readers of YAML 1.1 don't count, as for arguments
 */
export function stringText(
  text: string,
  contentIndent: number,
  parentIndent: number,
  { dialect, forYaml12 }: { readonly dialect: YamlDialect; readonly forYaml12: boolean },
): string {
  const traits = analyze(text);
  if (text.includes("\n")) {
    const needsHint = dialect === "rc.4" ? /^[ \n]/ : /^ /;
    const indicator = needsHint.test(text) ? String(INDENT_WIDTH) : "";
    // Without a hint, a reader takes the first line's blanks for indentation.
    const isMisread = dialect === "rc.6" && /^\n+ /.test(text);
    const readable =
      !isMisread && (indicator === "" || contentIndent - parentIndent === INDENT_WIDTH);
    return traits.block && /\S/.test(text) && readable
      ? literal(text, contentIndent, indicator)
      : doubleQuoted(text);
  }
  if (!traits.singleQuoted) {
    return doubleQuoted(text);
  }
  if (forYaml12 || readsAsText(text)) {
    const isText = !forYaml12 || resolveScalar(text).type === "text";
    return !isText ? doubleQuoted(text) : traits.plain ? text : singleQuoted(text);
  }
  return dialect === "rc.6" && isOnlyOldValue(text) ? singleQuoted(text) : doubleQuoted(text);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The styles that can express a text. */
function analyze(text: string): { plain: boolean; singleQuoted: boolean; block: boolean } {
  const special = UNPRINTABLE.test(text) || /[\u2028\u2029]/.test(text);
  const spaceThenBreak = text.includes(" \n");
  const indicator =
    /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:](?:\s|$)|-(?:\s|$))/.test(text) ||
    /:(?:[ \t\n]|$)/.test(text.slice(1)) ||
    /[ \t\n]#/.test(text);
  const singleQuoted = !special && !text.includes("\t") && !text.includes("\n ") && !spaceThenBreak;
  return {
    plain: singleQuoted && !indicator && !/^ | $/.test(text),
    singleQuoted,
    block: !special && !spaceThenBreak && !text.endsWith(" "),
  };
}

/** A character that is written as an escape. */
const UNPRINTABLE = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

function literal(text: string, indent: number, indicator: string): string {
  const chomping = !text.endsWith("\n") ? "-" : /(?:^|\n)\n$/.test(text) ? "+" : "";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = body.split("\n").map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  return `|${indicator}${chomping}\n${lines.join("\n")}`;
}

const escapes = new Map([
  ["\0", "0"],
  ["\x07", "a"],
  ["\b", "b"],
  ["\t", "t"],
  ["\n", "n"],
  ["\v", "v"],
  ["\f", "f"],
  ["\r", "r"],
  ["\x1b", "e"],
  ['"', '"'],
  ["\\", "\\"],
  ["\x85", "N"],
  ["\u2028", "L"],
  ["\u2029", "P"],
]);

/** A text in double quotes, which can express any. */
export function doubleQuoted(text: string): string {
  const escaped = Array.from(text).map((char) => {
    const short = escapes.get(char);
    if (short !== undefined) {
      return `\\${short}`;
    }
    if (!UNPRINTABLE.test(char)) {
      return char;
    }
    const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return hex.length <= 2
      ? `\\x${hex.padStart(2, "0")}`
      : hex.length <= 4
        ? `\\u${hex.padStart(4, "0")}`
        : `\\U${hex.padStart(8, "0")}`;
  });
  return `"${escaped.join("")}"`;
}
