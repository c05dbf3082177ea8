import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  type ParsedNode,
  Scalar,
  stringify,
  YAMLMap,
  YAMLSeq,
} from "yaml";

/** A configuration file of `kubectl` or `talosctl` that can't be changed. */
export class ConfigTextError extends Error {
  override readonly name = "ConfigTextError";
}

/** Such a file. All scalars are read as text, so they are written back unchanged. */
export type ConfigDocument = Document<ParsedNode>;

/**
 * Parses a file, with its comments.
 *
 * @throws ConfigTextError unless it is a single YAML mapping; the message contains no part of the
 *   text
 */
export function parseConfig(text: string): ConfigDocument {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text.trim() === "" ? "{}\n" : text, {
    schema: "failsafe",
    prettyErrors: false,
    keepSourceTokens: false,
    lineCounter,
  });
  const [document, ...more] = Array.isArray(documents) ? documents : [];
  if (document === undefined || more.length > 0) {
    throw new ConfigTextError("it contains several YAML documents instead of one");
  }
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw new ConfigTextError(`it is not YAML: line ${line} (${error.code})`);
  }
  if (!isMap(document.contents)) {
    throw new ConfigTextError("it is not a YAML mapping");
  }
  if (document.contents.items.length === 0) {
    // An empty mapping is written in block style, not as `{…}`.
    document.contents.flow = false;
  }
  return document;
}

export interface Indentation {
  /** Spaces for each level. */
  readonly indent: number;
  /** Whether list items are indented deeper than their key. */
  readonly indentSeq: boolean;
}

export const KUBECTL_INDENTATION: Indentation = { indent: 2, indentSeq: false };
export const TALOSCTL_INDENTATION: Indentation = { indent: 4, indentSeq: true };

/** Writes a file with its own indentation, or the default one. */
export function renderConfig(document: ConfigDocument, before: string, usual: Indentation): string {
  const comments = String.raw`[^\S\n]*\n(?: *#.*\n)*`;
  const nested = new RegExp(`^[^\\s#-][^\\n]*:${comments}( +)\\S`, "m").exec(before)?.[1];
  const list = new RegExp(`^( *)[^\\s#-][^\\n]*:${comments}\\1( *)- `, "m").exec(before)?.[2];
  return document.toString({
    lineWidth: 0,
    minContentWidth: 0,
    indent: nested?.length ?? usual.indent,
    indentSeq: list === undefined ? usual.indentSeq : list !== "",
  });
}

export function textAt(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key, true) as unknown;
  // Read as text, a null is the empty text.
  return isScalar(value) && typeof value.value === "string" && !isNone(value)
    ? value.value
    : undefined;
}

export function isNone(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (isScalar(value) &&
      (value.type === undefined || value.type === Scalar.PLAIN) &&
      /^(|~|null|Null|NULL)$/.test(String(value.value)))
  );
}

/** Sets the text at a key, and keeps its comment. */
export function setText(map: YAMLMap, key: string, text: string): void {
  const before = map.get(key, true) as unknown;
  if (isScalar(before) && before.value === text && !isNone(before)) {
    return;
  }
  const scalar = textScalar(text);
  if (isScalar(before)) {
    scalar.comment = before.comment ?? null;
  }
  map.set(key, scalar);
}

/** Sets a text, list or mapping of texts at a key, and keeps comments in one that is the same. */
export function setValue(map: YAMLMap, key: string, value: unknown): void {
  if (typeof value === "string") {
    setText(map, key, value);
    return;
  }
  const before = map.get(key, true) as unknown;
  if (!isNode(before) || !isDeepStrictEqual(before.toJSON(), value)) {
    map.set(key, nodeOf(value));
  }
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map(nodeOf);
    return list;
  }
  if (typeof value === "object" && value !== null) {
    const map = new YAMLMap();
    for (const [key, member] of Object.entries(value)) {
      map.set(key, nodeOf(member));
    }
    return map;
  }
  return textScalar(String(value));
}

/** A scalar that every YAML reader reads as this text. */
export function textScalar(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  // Go's readers of such files accept the words of YAML 1.1, such as `yes`.
  if (/^["'|>]/.test(stringify(text, { version: "1.1", lineWidth: 0 }))) {
    scalar.type = Scalar.QUOTE_DOUBLE;
  }
  return scalar;
}

/**
 * The root mapping of a kubeconfig or talosconfig.
 *
 * @throws ConfigTextError if it is not a mapping
 */
export function rootMapping({ contents }: ConfigDocument): YAMLMap {
  const root: unknown = contents;
  if (!isMap(root)) {
    throw new ConfigTextError("it is not a mapping");
  }
  return root;
}
