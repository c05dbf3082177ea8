import { alignSequences } from "./align";
import { canonicalJson } from "./canonicalJson";
import { type Field, itemField, memberField } from "./configSchema";
import { itemNaming } from "./itemNaming";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  textAt,
  type YamlValue,
} from "./machineConfig";
import { normalizeDocument } from "./normalize";
import { newestSchema } from "./talosSchemas";

/** The place of an item in a list. */
export interface ListItem {
  /** Where it is after the change; where it was, for what is removed. */
  readonly index: number;
  /** What tells it apart from the others, if anything does: an interface's name, for example. */
  readonly name?: string;
}

/** One difference between two configurations. */
export interface ConfigChange {
  /** The document, as `documentId` has it. */
  readonly document: string;
  /** The way to the value; empty for the document as a whole. */
  readonly path: readonly (string | ListItem)[];
  readonly kind: "added" | "removed" | "changed";
  /** Not there when added. */
  readonly before?: YamlValue;
  /** Not there when removed. */
  readonly after?: YamlValue;
}

/**
 * What is different between two configurations, document by document, at the deepest place that is
 * in both. None when they mean the same, that is when their hashes are equal: the order of documents
 * and keys, empty fields and ways to write a value don't count. List items that Talos tells apart
 * are followed by name, other items by value, so that one item more is one difference.
 *
 * The changes hold secrets if the documents do: redact before.
 */
export function compareDocuments(
  before: readonly ConfigDocument[],
  after: readonly ConfigDocument[],
): ConfigChange[] {
  const [left, right] = [byId(before), byId(after)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((id) => {
    const [olds, news] = [left.get(id) ?? [], right.get(id) ?? []];
    return Array.from({ length: Math.max(olds.length, news.length) }, (_, index) => {
      const kind = textAt(olds[index] ?? news[index], "kind") ?? "";
      const changes = compareMember(olds[index], news[index], newestSchema.document(kind));
      return changes.map((change) => ({ document: id, ...change }));
    }).flat();
  });
}

type Change = Omit<ConfigChange, "document">;

function byId(documents: readonly ConfigDocument[]): Map<string, ConfigDocument[]> {
  const groups = new Map<string, ConfigDocument[]>();
  for (const document of documents) {
    const id = documentId(document);
    groups.set(id, [...(groups.get(id) ?? []), normalizeDocument(document)]);
  }
  // Twice the same document is wrong, and in which order they are means nothing.
  for (const group of groups.values()) {
    group.sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  }
  return groups;
}

function compareMember(
  before: YamlValue | undefined,
  after: YamlValue | undefined,
  field: Field | undefined,
): Change[] {
  if (before === undefined || after === undefined) {
    return [
      ...(before === undefined ? [] : [{ path: [], kind: "removed" as const, before }]),
      ...(after === undefined ? [] : [{ path: [], kind: "added" as const, after }]),
    ];
  }
  if (isMapping(before) && isMapping(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      within(key, compareMember(own(before, key), own(after, key), memberField(field, key))),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return compareLists(before, after, field);
  }
  return canonicalJson(before) === canonicalJson(after)
    ? []
    : [{ path: [], kind: "changed", before, after }];
}

function compareLists(
  before: readonly YamlValue[],
  after: readonly YamlValue[],
  field: Field | undefined,
): Change[] {
  const mergeBy = field?.shape.kind === "list" ? field.shape.mergeBy : [];
  const naming = itemNaming([before, after], mergeBy);
  const identity = (item: YamlValue) => naming?.(item) ?? canonicalJson(item);
  const stay = (index: number, item: YamlValue): ListItem => {
    const name = naming?.(item);
    return name === undefined ? { index } : { index, name };
  };
  const changes: Change[] = [];
  const compare = (left: number, right: number) => {
    const [old, now] = [before[left], after[right]];
    const item = stay(right, now ?? null);
    changes.push(...within(item, compareMember(old, now, itemField(field))));
  };

  const pairs = alignSequences(before.map(identity), after.map(identity));
  let [left, right] = [0, 0];
  for (const [nextLeft, nextRight] of [...pairs, [before.length, after.length] as const]) {
    // what has no name and stands where something else stood has changed
    while (naming === undefined && left < nextLeft && right < nextRight) {
      compare(left++, right++);
    }
    for (; left < nextLeft; left++) {
      const item = before[left] ?? null;
      changes.push({ path: [stay(left, item)], kind: "removed", before: item });
    }
    for (; right < nextRight; right++) {
      const item = after[right] ?? null;
      changes.push({ path: [stay(right, item)], kind: "added", after: item });
    }
    if (nextLeft < before.length || nextRight < after.length) {
      compare(left++, right++);
    }
  }
  return changes;
}

function within(step: string | ListItem, changes: readonly Change[]): Change[] {
  return changes.map((change) => ({ ...change, path: [step, ...change.path] }));
}

function own(mapping: ConfigDocument, key: string): YamlValue | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
