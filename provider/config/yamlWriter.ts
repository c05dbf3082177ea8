import { type Field, itemField, memberField } from "./configSchema";
import { FrozenMemo, isFrozen } from "./frozenMemo";
import { type ConfigDocument, isMapping, type YamlValue } from "./machineConfig";
import { formatNumber, isOnlyOldValue, readsAsText, resolveScalar } from "./yamlScalar";

/** The indentation of Talos' YAML. */
const INDENT_WIDTH = 4;

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

/** The place of a value, which determines the indentation of its lines. */
type Place = "root" | "value" | "item";

/**
 * Writes one YAML document byte for byte like go.yaml.in/yaml v4, with which Talos writes machine
 * configurations: indentation, quotes, block scalars. Keys stay in the given order. It
 * differs in three cases in which the library's output can't be read back: block scalars that start
 * with a blank at an odd indentation, multi-line keys, and Unicode line separators. They are quoted
 * here.
 */
export class YamlWriter {
  private readonly out: string[] = [];

  private constructor(private readonly dialect: YamlDialect) {}

  /** The text of a document, with a newline at the end. `field` says which numbers are octal. */
  static write(document: YamlValue, field: Field | undefined, dialect: YamlDialect): string {
    return YamlWriter.text(document, field, 0, "root", dialect);
  }

  private static text(
    value: YamlValue,
    field: Field | undefined,
    indent: number,
    place: Place,
    dialect: YamlDialect,
  ): string {
    const writer = new YamlWriter(dialect);
    writer.node(value, field, indent, place);
    return writer.out.join("");
  }

  /** A member of a mapping or a list. For frozen values, the text is memoised. */
  private member(value: YamlValue, field: Field | undefined, indent: number, place: Place): void {
    if (isFrozen(value)) {
      const { dialect } = this;
      const make = () => YamlWriter.text(value, field, indent, place, dialect);
      this.put(writtenValues.get(value, [field, indent, place, dialect], make));
    } else {
      this.node(value, field, indent, place);
    }
  }

  private node(value: YamlValue, field: Field | undefined, indent: number, place: Place): void {
    if (Array.isArray(value) && value.length > 0) {
      this.list(value, field, indent, place);
    } else if (isMapping(value) && Object.keys(value).length > 0) {
      this.mapping(value, field, indent, place);
    } else {
      this.put(place === "root" ? "" : " ", this.inlineText(value, field, indent, place), "\n");
    }
  }

  private mapping(
    value: ConfigDocument,
    field: Field | undefined,
    indent: number,
    place: Place,
  ): void {
    const inner = innerIndent(indent, place);
    Object.entries(value).forEach(([key, child], index) => {
      this.startLine(inner, place, index);
      this.put(keyText(key, inner, this.dialect));
      this.member(child, memberField(field, key), inner, "value");
    });
  }

  private list(
    value: readonly YamlValue[],
    field: Field | undefined,
    indent: number,
    place: Place,
  ): void {
    const inner = innerIndent(indent, place);
    value.forEach((child, index) => {
      this.startLine(inner, place, index);
      this.put("-");
      this.member(child, takesSingle(field) ? field : itemField(field), inner, "item");
    });
  }

  /** The first entry of a container inside a list item is on the line of the item's dash. */
  private startLine(indent: number, place: Place, index: number): void {
    if (index === 0 && place === "item") {
      this.put(" ");
      return;
    }
    if (index === 0 && place === "value") {
      this.put("\n");
    }
    this.put(" ".repeat(indent));
  }

  /** Values on a single line, and block scalars. */
  private inlineText(
    value: YamlValue,
    field: Field | undefined,
    indent: number,
    place: Place,
  ): string {
    switch (typeof value) {
      case "string":
        return stringText(value, innerIndent(indent, place), indent, {
          dialect: this.dialect,
          forYaml12: takesSingle(field),
        });
      case "number":
        return field?.shape.kind === "scalar" && field.shape.octal && Number.isSafeInteger(value)
          ? `0o${value.toString(8)}`
          : formatNumber(value);
      case "boolean":
        return String(value);
      case "object":
        return value === null ? "null" : Array.isArray(value) ? "[]" : "{}";
    }
  }

  private put(...parts: readonly string[]): void {
    this.out.push(...parts);
  }
}

/** Memoised texts of values. */
const writtenValues = new FrozenMemo<string>();

function innerIndent(indent: number, place: Place): number {
  switch (place) {
    case "root":
      return 0;
    case "item":
      return indent + 2;
    case "value":
      // The next multiple, which is less than a whole step inside a list item.
      return INDENT_WIDTH * (Math.floor(indent / INDENT_WIDTH) + 1);
  }
}

/**
 * Whether a field takes one text or a list of them. Talos writes its texts only for YAML 1.2
 * readers.
 */
function takesSingle(field: Field | undefined): boolean {
  return field?.shape.kind === "list" && field.shape.orSingle;
}

function keyText(key: string, indent: number, dialect: YamlDialect): string {
  const style = { dialect, forYaml12: false };
  const text = key.includes("\n") ? doubleQuoted(key) : stringText(key, indent, indent, style);
  // Longer keys need a "?" mark.
  return Buffer.byteLength(key) > 128 ? `? ${text}\n${" ".repeat(indent)}:` : `${text}:`;
}

function stringText(
  text: string,
  contentIndent: number,
  parentIndent: number,
  { dialect, forYaml12 }: { readonly dialect: YamlDialect; readonly forYaml12: boolean },
): string {
  const traits = analyze(text);
  if (text.includes("\n")) {
    const needsHint = dialect === "rc.4" ? /^[ \n]/ : /^ /;
    const indicator = needsHint.test(text) ? String(INDENT_WIDTH) : "";
    const readable = indicator === "" || contentIndent - parentIndent === INDENT_WIDTH;
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

function doubleQuoted(text: string): string {
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
