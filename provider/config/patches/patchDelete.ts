import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { type Field, memberField } from "../schema/configSchema";

/** A `$patch: delete` of a patch. */
export interface Deletion {
  /** The path of the deleted value; for a list item, the path of the list. Empty: the document. */
  readonly path: Path;
  /** For a list item: the key and value that select it. */
  readonly item?: { readonly key: string; readonly value: YamlValue };
}

/** A patch document without its deletions, and the deletions. */
export interface SplitPatch {
  /** The part to merge; undefined if nothing remains. */
  readonly merge: ConfigDocument | undefined;
  readonly deletions: readonly Deletion[];
}

/** Reports an invalid `$patch`. */
export type DeletionReport = (path: Path, message: string) => void;

const identityKeys = new Set(["version", "apiVersion", "kind", "name"]);

/**
 * Removes each `$patch: delete` from a patch document, and every mapping and list that is empty
 * without it. Deletions come before merging, wherever they are in the patch.
 */
export function splitDeletions(document: ConfigDocument, report: DeletionReport): SplitPatch {
  const deletions: Deletion[] = [];
  const rest = extract(document, [], deletions, report);
  const merge =
    isMapping(rest) &&
    (deletions.length === 0 || Object.keys(rest).some((key) => !identityKeys.has(key)))
      ? rest
      : undefined;
  return { merge, deletions };
}

/** The value without deletions; undefined if nothing remains. */
function extract(
  value: YamlValue,
  path: Path,
  deletions: Deletion[],
  report: DeletionReport,
): YamlValue | undefined {
  if (Array.isArray(value)) {
    const items = value
      .map((item, index) => extract(item, [...path, index], deletions, report))
      .filter((item) => item !== undefined);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isMapping(value)) {
    return value;
  }
  if (value.$patch !== undefined) {
    addDeletion(value, path, deletions, report);
    return undefined;
  }
  const entries = Object.entries(value)
    .map(([key, child]) => [key, extract(child, [...path, key], deletions, report)] as const)
    .filter((entry): entry is [string, YamlValue] => entry[1] !== undefined);
  return entries.length === 0 && Object.keys(value).length > 0
    ? undefined
    : Object.fromEntries(entries);
}

function addDeletion(
  value: ConfigDocument,
  path: Path,
  deletions: Deletion[],
  report: DeletionReport,
): void {
  if (value.$patch !== "delete") {
    report([...path, "$patch"], '"delete" is the only thing "$patch" can say');
    return;
  }
  const inList = path.findIndex((step) => typeof step === "number");
  if (inList === -1) {
    deletions.push({ path });
    return;
  }
  if (inList < path.length - 1) {
    report(
      path,
      "a part of a list item can't be deleted: delete the whole item, and add it again in the next patch",
    );
    return;
  }
  const chosen = Object.entries(value).find(([key]) => key !== "$patch");
  if (chosen === undefined) {
    report(path, 'say which item to delete: a key and its value beside "$patch: delete"');
    return;
  }
  const [key, wanted] = chosen;
  deletions.push({ path: path.slice(0, -1), item: { key, value: wanted } });
}

/** The name of a deletion in messages: its path, and the selected item. */
export function describeDeletion({ path, item }: Deletion): string {
  const where = formatPath(path);
  return item === undefined ? where : `${where}[${item.key}=${JSON.stringify(item.value)}]`;
}

/**
 * The document without the deleted value; undefined if that is missing. A known but unset field
 * counts as present if its mapping is present, as in Talos. The given document is not changed.
 */
export function applyDeletion(
  document: ConfigDocument,
  deletion: Deletion,
  field: Field,
): ConfigDocument | undefined {
  const result = without(document, deletion.path, deletion.item, field);
  return isMapping(result) ? result : undefined;
}

function without(
  value: YamlValue | undefined,
  path: Path,
  item: Deletion["item"],
  field: Field | undefined,
): YamlValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) {
    return item === undefined ? undefined : withoutItem(value, item);
  }
  if (!isMapping(value) || typeof step === "number") {
    return undefined;
  }
  const member = memberField(field, step);
  const entries = Object.entries(value);
  if (rest.length === 0 && item === undefined && value[step] !== undefined) {
    return Object.fromEntries(entries.filter(([key]) => key !== step));
  }
  if (value[step] === undefined || value[step] === null) {
    return isThere(field, member, step, rest, item) ? value : undefined;
  }
  const child = without(value[step], rest, item, member);
  return child === undefined
    ? undefined
    : Object.fromEntries(entries.map(([key, old]) => [key, key === step ? child : old]));
}

/** Whether Talos counts an unset value as present: a field of a struct. */
function isThere(
  field: Field | undefined,
  member: Field | undefined,
  step: string,
  rest: Path,
  item: Deletion["item"],
): boolean {
  if (field?.shape.kind !== "struct" || !field.shape.fields.has(step)) {
    return false;
  }
  if (rest.length === 0) {
    return item === undefined;
  }
  const isPart = member?.shape.kind === "struct" && !member.pointer;
  return isPart && without({}, rest, item, member) !== undefined;
}

function withoutItem(
  value: YamlValue | undefined,
  item: NonNullable<Deletion["item"]>,
): YamlValue | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const index = value.findIndex(
    (candidate) => isMapping(candidate) && sameValue(candidate[item.key], item.value),
  );
  return index === -1 ? undefined : value.filter((_, position) => position !== index);
}

/**
 * A number and the same number as text select the same item, so a patch need not know the field's
 * type.
 */
function sameValue(a: YamlValue | undefined, b: YamlValue): boolean {
  if (a === undefined || typeof a === "object" || typeof b === "object") {
    return isDeepStrictEqual(a, b);
  }
  return String(a) === String(b);
}
