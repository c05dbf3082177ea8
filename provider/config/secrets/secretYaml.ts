import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  type Scalar,
  visit,
} from "yaml";
import { isMapping, mapScalars, scalarsBeside, type YamlValue } from "../machineConfig";

/** How the parts of a YAML text are redacted. */
interface YamlRedaction {
  /** Changes texts and nothing else: mappings and lists keep their keys and items. */
  readonly tree: (value: YamlValue) => YamlValue;
  readonly comment: (text: string) => string;
}

/** More signs than in most manifests of 192 KB. Reading a text takes microseconds for each. */
const MOST_SIGNS = 40_000;

/**
 * A YAML or JSON text whose values and comments are redacted. The rest stays as it is written. Without
 * anything to redact, the text is returned unchanged.
 *
 * @returns undefined for a text that is no mapping or list, or that can't be read
 */
export function redactYaml(text: string, redaction: YamlRedaction): string | undefined {
  const documents = looksLikeYaml(text) ? read(text) : undefined;
  if (documents === undefined) {
    return undefined;
  }
  try {
    const changed = documents.map((document) => redactDocument(document, redaction));
    if (changed.every((each) => !each.isChanged)) {
      return text;
    }
    const written = changed
      .map(({ document }) => document.toString({ lineWidth: 0, flowCollectionPadding: false }))
      .join("---\n");
    return text.endsWith("\n") ? written : written.trimEnd();
  } catch {
    // Nested too deeply, or with too many references.
    return undefined;
  }
}

function looksLikeYaml(text: string): boolean {
  const isOne = /^\s*[[{]/.test(text);
  if (!isOne && !(text.includes("\n") && /^[ \t]*(?:- |[\w"'./-]+:(?:\s|$))/m.test(text))) {
    return false;
  }
  const sign = /[\n:\-[\]{},"'&*!?#|>%]/g;
  let signs = 0;
  while (signs <= MOST_SIGNS && sign.test(text)) {
    signs++;
  }
  return signs <= MOST_SIGNS;
}

/** The documents; undefined if one can't be read, or is a single value. */
function read(text: string): Document.Parsed[] | undefined {
  try {
    const parsed = parseAllDocuments(text, {
      schema: "failsafe",
      prettyErrors: false,
      logLevel: "error",
      // The search for equal keys takes quadratic time.
      uniqueKeys: false,
    });
    const documents = Array.isArray(parsed) ? parsed : [];
    return documents.length > 0 &&
      documents.every(
        ({ errors, contents }) =>
          errors.length === 0 && (contents === null || isCollection(contents) || isEmpty(contents)),
      ) &&
      documents.some(({ contents }) => isCollection(contents))
      ? documents
      : undefined;
  } catch {
    // Nested too deeply.
    return undefined;
  }
}

/** A document that only has comments. */
function isEmpty(node: Node): boolean {
  return isScalar(node) && (node.value === "" || node.value === null);
}

interface Redacted {
  readonly document: Document;
  readonly isChanged: boolean;
}

function redactDocument(document: Document.Parsed, { tree, comment }: YamlRedaction): Redacted {
  if (hasReferences(document)) {
    const plain = document.toJS({ maxAliasCount: MOST_ALIASES }) as YamlValue;
    const redacted = hideEqual(plain, tree(plain));
    const isChanged = JSON.stringify(plain) !== JSON.stringify(redacted);
    return isChanged
      ? { document: new Document(redacted), isChanged }
      : { document, isChanged: redactComments(document, comment) };
  }
  const hasNewValues = writeBack(document.contents, tree(valueOf(document.contents)));
  const hasNewComments = redactComments(document, comment);
  return { document, isChanged: hasNewValues || hasNewComments };
}

const MOST_ALIASES = 100;

function hasReferences(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** A value that is secret in one place of a text with references is hidden in every place. */
function hideEqual(before: YamlValue, after: YamlValue): YamlValue {
  const hidden = new Map<YamlValue, YamlValue | undefined>(
    scalarsBeside(before, after).filter(([was, is]) => typeof is === "string" && was !== is),
  );
  return mapScalars(after, (value) => hidden.get(value) ?? value);
}

/** The plain value of a node. Keys that are no texts are left out, as Kubernetes has none. */
function valueOf(node: unknown): YamlValue {
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : "", valueOf(value)]),
    );
  }
  if (isSeq(node)) {
    return node.items.map(valueOf);
  }
  return isScalar(node) ? textOf(node) : null;
}

/** Every value is a text in the failsafe schema. */
function textOf({ value }: Scalar): YamlValue {
  return typeof value === "string" ? value : null;
}

/** Writes changed texts into the nodes, and says whether there are any. */
function writeBack(node: unknown, redacted: YamlValue | undefined): boolean {
  if (isMap(node)) {
    const members = isMapping(redacted) ? redacted : {};
    return node.items
      .map(({ key, value }) => writeBack(value, members[isScalar(key) ? String(key.value) : ""]))
      .some(Boolean);
  }
  if (isSeq(node)) {
    const items = Array.isArray(redacted) ? redacted : [];
    return node.items.map((item, index) => writeBack(item, items[index])).some(Boolean);
  }
  if (
    !isScalar(node) ||
    isAlias(node) ||
    typeof redacted !== "string" ||
    textOf(node) === redacted
  ) {
    return false;
  }
  const scalar: Scalar = node;
  scalar.value = redacted;
  if (/^«secret[^«»]*»$/.test(redacted)) {
    scalar.type = "PLAIN";
  }
  return true;
}

function redactComments(document: Document, redact: (text: string) => string): boolean {
  let isChanged = false;
  const change = (commented: Commented): void => {
    for (const place of ["comment", "commentBefore"] as const) {
      const text = commented[place];
      const redacted = typeof text === "string" ? redact(text) : text;
      if (redacted !== text) {
        commented[place] = redacted;
        isChanged = true;
      }
    }
  };
  change(document);
  visit(document, {
    Node: (_key, node) => {
      change(node);
    },
  });
  return isChanged;
}

/** Whatever of a text can have comments. */
interface Commented {
  comment?: string | null | undefined;
  commentBefore?: string | null | undefined;
}
