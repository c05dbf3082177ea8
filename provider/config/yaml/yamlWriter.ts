import { isFrozen, memoized } from "../frozenMemo";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { type Field, itemField, memberField } from "../schema/configSchema";
import { doubleQuoted, INDENT_WIDTH, stringText, type YamlDialect } from "./yamlQuoting";
import { formatNumber } from "./yamlScalar";

/** The place of a value, which determines the indentation of its lines. */
type Place = "root" | "value" | "item";

/**
 * Writes one YAML document byte for byte like go.yaml.in/yaml v4, with which Talos writes machine
 * configurations: indentation, quotes, block scalars. Keys stay in the given order. It
 * differs in four cases in which the library's output can't be read back: block scalars that start
 * with a blank at an odd indentation or after empty lines, multi-line keys, and Unicode line
 * separators. They are quoted here.
 */
export class YamlWriter {
  private readonly out: string[] = [];

  private constructor(private readonly dialect: YamlDialect) {}

  /** The text of a document, with a newline at the end. `field` says which numbers are octal. */
  static write(document: YamlValue, field: Field | undefined, dialect: YamlDialect): string {
    return YamlWriter.text(document, field, 0, "root", dialect);
  }

  private static readonly text = memoized(
    (
      value: YamlValue,
      field: Field | undefined,
      indent: number,
      place: Place,
      dialect: YamlDialect,
    ): string => {
      const writer = new YamlWriter(dialect);
      writer.node(value, field, indent, place);
      return writer.out.join("");
    },
  );

  /** A member of a mapping or a list. */
  private member(value: YamlValue, field: Field | undefined, indent: number, place: Place): void {
    if (isFrozen(value)) {
      this.put(YamlWriter.text(value, field, indent, place, this.dialect));
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
