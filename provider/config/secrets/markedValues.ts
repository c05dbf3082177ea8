import { parseAllDocuments } from "yaml";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { type Field, itemField, memberField, scalarShape } from "../schema/configSchema";
import { isPlainValue } from "./plainValue";
import { secretField } from "./secretField";
import { aroundMarks, isSecretMark, isSwitch, type SecretMark } from "./secretMark";

/**
 * Values that a program marked as secret (`pulumi.secret`), as plain data: texts, and patches or
 * other values that were secret as a whole.
 */
export type MarkedValues = readonly unknown[];

/** Shorter texts occur everywhere, so only a value that is equal to one is hidden. */
const SHORTEST_PART = 5;

/** Shorter lines of a longer text occur everywhere too. */
const SHORTEST_LINE = 8;

/** Keys whose values say what a part of a patch is, and keep a configuration readable. */
const ABOUT_PATCH: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "name",
  "interface",
  "op",
  "path",
  "from",
  "$patch",
  "file",
]);

/**
 * Hides values that a program marked as secret, wherever they are in a configuration: as a whole
 * value, as a part of one, in base64, in JSON, in an address, or as a key.
 *
 * Of a whole patch that is secret, no text is shown. Its keys are, and values that can't be secret by
 * their shape: switches, small numbers, durations, sizes, addresses, paths.
 */
export class MarkedTexts {
  /** Texts of which a whole value is hidden. */
  private readonly whole: ReadonlySet<string>;
  /** Each form in which a text can be a part of a value, the longest first, with the text. */
  private readonly parts: readonly (readonly [form: string, text: string])[];

  constructor(marked: MarkedValues) {
    const texts = marked.flatMap(textsOf).filter((text) => text.trim() !== "");
    this.whole = new Set(
      [...texts, ...marked.flatMap(wholeOf)].flatMap((text) => [text, text.trim()]),
    );
    const forms = texts.flatMap((text) =>
      formsOf(text).map((form): [string, string] => [form, text]),
    );
    this.parts = [...new Map(forms)].sort(([a], [b]) => b.length - a.length);
  }

  get isEmpty(): boolean {
    return this.whole.size === 0;
  }

  /** A document in which marks replace the values. */
  hideIn(document: ConfigDocument, field: Field | undefined, mark: SecretMark): ConfigDocument {
    const hidden = this.hideAt(document, field, mark);
    return isMapping(hidden) ? hidden : document;
  }

  private hideAt(value: YamlValue, field: Field | undefined, mark: SecretMark): YamlValue {
    if (Array.isArray(value)) {
      return value.map((item) => this.hideAt(item, itemField(field), mark));
    }
    if (isMapping(value)) {
      const type = field?.shape.kind === "struct" ? field.shape.type : undefined;
      return Object.fromEntries(
        Object.entries(value).map(([key, child]) => {
          const isKept =
            type !== undefined &&
            (isReadByThisPackage(key) || secretField(type, key) === "generated");
          const shown = isKept ? child : this.hideAt(child, memberField(field, key), mark);
          return [type === undefined ? this.hideParts(key, mark) : key, shown];
        }),
      );
    }
    const types = scalarShape(field)?.types;
    if (types !== undefined && !types.includes("string")) {
      return value;
    }
    const text = value === null ? "" : String(value);
    const hidden = this.hide(text, mark);
    return hidden === text ? value : hidden;
  }

  /** A text in which marks replace the values. */
  hide(text: string, mark: SecretMark): string {
    if (text === "" || isSecretMark(text)) {
      return text;
    }
    return this.whole.has(text) || this.whole.has(text.trim())
      ? mark(text)
      : this.hideEncoded(this.hideParts(text, mark), mark);
  }

  private hideParts(text: string, mark: SecretMark): string {
    const found = this.parts.filter(([form]) => text.includes(form));
    return found.length === 0
      ? text
      : aroundMarks(text, (plain) =>
          found
            .reduce((rest, [form], index) => rest.replaceAll(form, `\uE010${index}\uE011`), plain)
            .replace(/\uE010(\d+)\uE011/g, (_, index: string) =>
              mark(found[Number(index)]?.[1] ?? ""),
            ),
        );
  }

  /** Replaces words in base64 or with percent signs that have a value inside. */
  private hideEncoded(text: string, mark: SecretMark): string {
    return aroundMarks(text, (plain) =>
      plain
        .replace(/[A-Za-z0-9+/_-]{8,}={0,2}/g, (word) =>
          this.isInBase64(word, 0) ? mark(word) : word,
        )
        .replace(/[^\s"'<>&=?«»]+/g, (word) => (this.isInAddress(word) ? mark(word) : word)),
    );
  }

  private isInBase64(word: string, depth: number): boolean {
    const decoded = Buffer.from(word, "base64").toString("utf8");
    if (this.parts.some(([form]) => decoded.includes(form)) || this.whole.has(decoded.trim())) {
      return true;
    }
    return (
      depth < DEEPEST &&
      !/[^\t\n\r -~]/.test(decoded) &&
      [...decoded.matchAll(/[A-Za-z0-9+/_-]{8,}={0,2}/g)].some(([inner]) =>
        this.isInBase64(inner, depth + 1),
      )
    );
  }

  private isInAddress(word: string): boolean {
    if (!word.includes("%")) {
      return false;
    }
    try {
      const decoded = decodeURIComponent(word.replaceAll("+", " "));
      return this.parts.some(([form]) => decoded.includes(form)) || this.whole.has(decoded);
    } catch {
      return false;
    }
  }

  /**
   * A message without the values. It may quote the beginning of a value that is too long for it, which
   * ends with "…".
   */
  hideInMessage(message: string, mark: SecretMark): string {
    const quotes = [...this.whole].map((text): [string, string] => [`"${text}"`, text]);
    const whole = quotes.reduce(
      (rest, [quote, text]) => rest.replaceAll(quote, `"${mark(text)}"`),
      this.hideEncoded(this.hideParts(message, mark), mark),
    );
    return whole
      .split("…")
      .map((part, index, all) =>
        index < all.length - 1 ? this.withoutBeginning(part, mark) : part,
      )
      .join("…");
  }

  /** A text that may end with the beginning of a value. */
  private withoutBeginning(text: string, mark: SecretMark): string {
    for (const [form, secret] of this.parts) {
      const longest = Math.min(form.length, text.length);
      for (let length = longest; length >= SHORTEST_PART; length--) {
        if (text.endsWith(form.slice(0, length))) {
          return `${text.slice(0, text.length - length)}${mark(secret)}`;
        }
      }
    }
    return text;
  }
}

/** Base64 within base64, as of a login in a registry's configuration. */
const DEEPEST = 2;

/**
 * Fields that this package reads from an outline, to plan by them: images, roles, versions. A program
 * that marks one as secret would otherwise have no upgrades.
 */
function isReadByThisPackage(field: string): boolean {
  return ["image", "type", "version", "kind", "apiVersion", "name"].includes(field);
}

/** The texts of a value that was secret as a whole. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") {
    const parts = partsOf(value);
    return parts === undefined ? (isSwitch(value) ? [] : [value]) : leavesOf(parts);
  }
  if (typeof value === "number") {
    return [String(value)];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const file = fileText(value);
  return file === undefined ? leavesOf(value) : textsOf(file);
}

/** The text itself, which may be the content of a file as well as a patch. */
function wholeOf(value: unknown): string[] {
  return typeof value === "string" && !isSwitch(value) ? [value] : [];
}

/** The text of a patch that was read from a file. */
function fileText(value: object): string | undefined {
  const { text, file } = value as { readonly text?: unknown; readonly file?: unknown };
  return typeof text === "string" && typeof file === "string" ? text : undefined;
}

/** The documents of a text that may be a patch; undefined for another text. */
function partsOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text) && !/^[ \t]*(?:- |[\w"'./-]+:(?:\s|$))/m.test(text)) {
    return undefined;
  }
  try {
    const options = { schema: "failsafe", logLevel: "error", uniqueKeys: false } as const;
    const parsed = parseAllDocuments(text, options);
    const documents = Array.isArray(parsed) ? parsed : [];
    return documents.some(({ errors }) => errors.length > 0)
      ? undefined
      : documents.map((document) => document.toJS() as unknown);
  } catch {
    return undefined;
  }
}

function leavesOf(value: unknown, key = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => leavesOf(item, key));
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, child]) => leavesOf(child, name));
  }
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const [, named] = /^[\w.-]{1,100}=([^]*)$/.exec(text) ?? [];
  const secret = named !== undefined && named.length >= SHORTEST_PART ? named : text;
  return ABOUT_PATCH.has(key) || isPlainValue(secret) ? [] : [secret];
}

/** The forms in which a text may be a part of another. */
function formsOf(secret: string): string[] {
  const lines = secret
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE);
  return [secret, secret.trim(), ...(lines.length > 1 ? lines : [])]
    .flatMap((text) => [
      text,
      JSON.stringify(text).slice(1, -1),
      text.replaceAll("'", "''"),
      encodeURIComponent(text),
      encodeURIComponent(text).replaceAll("%20", "+"),
    ])
    .filter((form) => form.length >= SHORTEST_PART);
}
