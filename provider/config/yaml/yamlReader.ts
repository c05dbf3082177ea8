import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";
import { ConfigError, type ConfigProblem } from "../configError";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { type ConfigSchema, type Field, itemField, memberField } from "../schema/configSchema";
import { oldBoolean, resolveScalar } from "./yamlScalar";

/**
 * The maximum number of references to anchors in one text, far more than real configurations have.
 */
const MAX_ALIASES = 1000;

/**
 * The maximum number of values that these references stand for together: a few lines could otherwise fill the memory.
 */
const MAX_REPEATED_VALUES = 100_000;

/**
 * Reads YAML text as Talos does. Text fields keep the written text, so `version: 1.10` is "1.10" in
 * a label. Elsewhere the rules of go.yaml.in/yaml v4 decide the type of an unquoted scalar.
 * Timestamps stay text.
 */
export class YamlReader {
  private readonly lines = new LineCounter();
  private readonly problems: ConfigProblem[] = [];
  private aliases = 0;
  private repeatedValues = 0;
  private aliasDepth = 0;
  private isExcessive = false;

  /** A reader reads one text. */
  constructor(private readonly schema: ConfigSchema) {}

  /**
   * The documents of a text, without empty ones.
   *
   * @throws ConfigError with line and reason of everything that can't be read
   */
  documents(text: string): ConfigDocument[] {
    const found = this.parse(text).map((document) => this.root(document));
    this.throwProblems();
    return found.filter((document) => document !== undefined);
  }

  /** The items of a text that contains one list, for example a JSON patch. Errors as above. */
  list(text: string): YamlValue[] {
    const [first, second] = this.parse(text);
    const value = first === undefined ? [] : this.value(first.contents, undefined, first);
    if (!Array.isArray(value)) {
      this.problem(0, "this has to be a list");
    }
    if (second !== undefined) {
      this.problem(second.range[0], "a second document: a list has to be the only one");
    }
    this.throwProblems();
    return Array.isArray(value) ? value : [];
  }

  /** The readable, non-empty documents of a text. */
  private parse(text: string): Document.Parsed[] {
    const parsed = parseAllDocuments(text, {
      schema: "failsafe",
      lineCounter: this.lines,
      prettyErrors: false,
      logLevel: "error",
    });
    const documents = Array.isArray(parsed) ? parsed : [];
    for (const document of documents) {
      // One mistake causes several errors; a missing token is the most helpful one. The parser's
      // messages can quote a nearby secret, so only the code is used.
      const error =
        document.errors.find(({ code }) => code === "MISSING_CHAR") ?? document.errors[0];
      if (error !== undefined) {
        this.problem(Math.min(error.pos[0], text.trimEnd().length - 1), syntaxProblem(error));
      }
    }
    return documents.filter((document) => document.errors.length === 0 && !isEmpty(document));
  }

  private throwProblems(): void {
    if (this.problems.length > 0) {
      throw new ConfigError(this.problems);
    }
  }

  private root(document: Document.Parsed): ConfigDocument | undefined {
    const node = document.contents;
    if (!isMap(node)) {
      const actual = isSeq(node) ? "a list" : "a single value";
      this.problem(
        node?.range[0] ?? 0,
        `a document has to be a mapping of keys, this is ${actual}`,
      );
      return undefined;
    }
    const kind = node.items.find(({ key }) => isScalar(key) && key.value === "kind")?.value;
    const field = this.schema.document(isScalar(kind) ? String(kind.value) : "");
    const value = this.value(node, field, document);
    return isMapping(value) ? value : undefined;
  }

  private value(node: Node | null, field: Field | undefined, document: Document): YamlValue {
    if (isAlias(node)) {
      return this.alias(node, field, document);
    }
    this.repeatedValues += this.aliasDepth > 0 ? 1 : 0;
    if (isMap(node)) {
      return this.mapping(node as YAMLMap<Node | null, Node | null>, field, document);
    }
    if (isSeq(node)) {
      return node.items.map((item) => this.value(item as Node | null, itemField(field), document));
    }
    return isScalar(node) ? this.scalar(node, field) : null;
  }

  /** The value that a reference stands for. That there is too much of them is said once. */
  private alias(node: Alias, field: Field | undefined, document: Document): YamlValue {
    const offset = node.range?.[0] ?? 0;
    this.aliases++;
    if (this.aliases > MAX_ALIASES || this.repeatedValues > MAX_REPEATED_VALUES) {
      if (!this.isExcessive) {
        this.isExcessive = true;
        this.problem(offset, `${describeExcess(this.aliases)}: write the values out`);
      }
      return null;
    }
    const target = node.resolve(document);
    if (target === undefined) {
      this.problem(offset, `"*${node.source}" refers to an anchor that does not exist`);
      return null;
    }
    this.aliasDepth++;
    const value = this.value(target, field, document);
    this.aliasDepth--;
    return value;
  }

  private mapping(
    node: YAMLMap<Node | null, Node | null>,
    field: Field | undefined,
    document: Document,
  ): YamlValue {
    const entries = new Map<string, YamlValue>();
    const merged = new Map<string, YamlValue>();
    for (const { key, value } of node.items) {
      if (isMergeKey(key)) {
        this.merge(value, field, document, merged);
        continue;
      }
      const name = this.key(key, document);
      if (name !== undefined) {
        entries.set(name, this.value(value, memberField(field, name), document));
      }
    }
    return Object.fromEntries([...[...merged].filter(([name]) => !entries.has(name)), ...entries]);
  }

  /** `<<`: adds keys of other mappings that the mapping does not have. */
  private merge(
    value: Node | null,
    field: Field | undefined,
    document: Document,
    merged: Map<string, YamlValue>,
  ): void {
    const resolved = this.value(value, field, document);
    for (const source of Array.isArray(resolved) ? resolved : [resolved]) {
      if (!isMapping(source)) {
        this.problem(value?.range?.[0] ?? 0, `"<<" takes a mapping, or a list of them`);
        return;
      }
      for (const [name, child] of Object.entries(source)) {
        if (!merged.has(name)) {
          merged.set(name, child);
        }
      }
    }
  }

  private key(node: Node | null, document: Document): string | undefined {
    const resolved = isAlias(node) ? node.resolve(document) : node;
    if (isScalar(resolved)) {
      return String(resolved.value);
    }
    this.problem(node?.range?.[0] ?? 0, "a key has to be a single value");
    return undefined;
  }

  private scalar(node: Scalar, field: Field | undefined): YamlValue {
    const text = typeof node.value === "string" ? node.value : "";
    const wanted = field?.shape.kind === "scalar" ? field.shape.types : [];
    const quoted = node.type !== "PLAIN";
    const tag = node.tag;
    if (tag !== undefined && tag !== "tag:yaml.org,2002:str" && tag !== "!") {
      this.problem(node.range?.[0] ?? 0, `the tag "${tag}" is not understood: remove it`);
      return null;
    }
    if (wanted[0] === "boolean" && oldBoolean(text) !== undefined) {
      return oldBoolean(text) ?? null;
    }
    if (quoted || tag !== undefined) {
      return text;
    }
    const resolved = resolveScalar(text);
    if (resolved.type === "null") {
      return null;
    }
    if (wanted[0] === "string") {
      return text;
    }
    switch (resolved.type) {
      case "boolean":
        return resolved.value;
      case "integer":
      case "float":
        if (!resolved.exact) {
          this.problem(
            node.range?.[0] ?? 0,
            `an integer beyond ±${Number.MAX_SAFE_INTEGER} can't be kept exactly: put it in quotes`,
          );
        }
        return resolved.value;
      default:
        return text;
    }
  }

  private problem(offset: number, message: string): void {
    const { line } = this.lines.linePos(offset);
    this.problems.push({ document: `line ${line}`, path: "", message });
  }
}

function isEmpty(document: Document.Parsed): boolean {
  const node = document.contents as Node | null;
  return node === null || (isScalar(node) && node.type === "PLAIN" && node.value === "");
}

function isMergeKey(key: Pair["key"]): boolean {
  return isScalar(key) && key.type === "PLAIN" && key.value === "<<";
}

function syntaxProblem({ code, message }: Pick<YAMLParseError, "code" | "message">): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return "a key that is already there: each key may be there once";
    case "TAB_AS_INDENT":
      return "a tab: YAML is indented with spaces";
    case "BAD_INDENT":
      return message.startsWith("Flow")
        ? "a bracket that is not closed before the indentation ends"
        : "the indentation does not fit the lines above";
    case "MISSING_CHAR":
      return 'something is missing: a closing bracket or quote, or the space after ":" or "-"';
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return 'a ":" where no key can be: put texts with ": " in them in quotes';
    case "BLOCK_IN_FLOW":
      return "an indented block inside brackets: close the bracket first";
    case "BAD_ALIAS":
      return "a reference to an anchor that can't be read";
    case "BAD_DQ_ESCAPE":
      return 'an unknown escape in a "double-quoted" text: write backslashes twice';
    case "BAD_SCALAR_START":
      return "a text that starts with a reserved character: put it in quotes";
    case "UNEXPECTED_TOKEN":
      return "something that can't be here";
    default:
      return `this is not YAML (${code})`;
  }
}

function describeExcess(aliases: number): string {
  return aliases > MAX_ALIASES
    ? `more than ${MAX_ALIASES} references to anchors`
    : `references to anchors that repeat more than ${MAX_REPEATED_VALUES} values`;
}
