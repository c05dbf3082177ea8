import { ConfigError, type ConfigProblem } from "../configError";
import { freeze } from "../frozenMemo";
import type { MachineConfigPatch } from "../gen/machineConfigPatch";
import { LruCache } from "../lruCache";
import { type ConfigDocument, documentId, identityOf } from "../machineConfig";
import { formatPath } from "../path";
import type { ConfigSchema, Field } from "../schema/configSchema";
import { schemaProblems } from "../schema/schemaProblems";
import { decodeDocuments, decodeList } from "../yaml/encode";
import { type JsonPatchOperation, readJsonPatch } from "./jsonPatch";
import { splitDeletions, type SplitPatch } from "./patchDelete";

/**
 * A patch of a machine configuration. A strategic merge patch is a YAML text with one or several
 * documents, or one document as plain data, which the type `MachineConfigPatch` checks and
 * completes. A JSON patch (RFC 6902) is a list of operations, as JSON or YAML text or as plain
 * data. Where resources accept it, `@patches/worker.yaml` names a file with either kind.
 */
export type Patch = string | MachineConfigPatch | ConfigDocument | JsonPatchOperation[] | PatchFile;

/** The content of a patch file. */
export interface PatchFile {
  /** The file's name in the program, for messages. */
  readonly file: string;
  readonly text: string;
}

/** One document of a strategic merge patch, ready to apply. */
export interface PatchDocument extends SplitPatch {
  /** `patches[1]`, its file, and its number if there are several documents. */
  readonly label: string;
  readonly id: string;
  readonly field: Field;
}

/** A patch, ready to apply: the documents of a strategic merge patch, or the operations of a JSON patch. */
export type ReadPatch =
  | { readonly label: string; readonly documents: readonly PatchDocument[] }
  | { readonly label: string; readonly operations: readonly JsonPatchOperation[] };

/** Reads one of the given patches. Its problems go into `problems`. */
export function readPatch(
  patch: Patch,
  index: number,
  schema: ConfigSchema,
  problems: ConfigProblem[],
): ReadPatch {
  const file = isPatchFile(patch) ? patch : undefined;
  const label = `patches[${index}]${file === undefined ? "" : ` (${file.file})`}`;
  try {
    const content = contentOf(patch, schema);
    if (Array.isArray(content)) {
      return { label, operations: readOperations(content, label, problems) };
    }
    return { label, documents: readDocuments(content.documents, label, schema, problems) };
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    problems.push(
      ...error.problems.map(({ document, path, message }) => ({
        document: label,
        path: [document, path].filter((part) => part !== "").join(" "),
        message,
      })),
    );
    return { label, documents: [] };
  }
}

/** JavaScript programs may pass other values, for example the `undefined` of a condition. */
function isPatch(value: unknown): value is Patch {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

function isPatchFile(patch: unknown): patch is PatchFile {
  return (
    typeof patch === "object" &&
    patch !== null &&
    "file" in patch &&
    typeof patch.file === "string" &&
    "text" in patch &&
    typeof patch.text === "string"
  );
}

/**
 * The documents of a strategic merge patch, or the list of a JSON patch.
 *
 * @throws ConfigError for what is neither
 */
export function contentOf(
  given: Patch,
  schema: ConfigSchema,
): unknown[] | { readonly documents: readonly ConfigDocument[] } {
  const patch = isPatchFile(given) ? given.text : given;
  if (!isPatch(patch)) {
    throw refusal(
      `is ${String(patch)}, which is not a patch: give a YAML text, a mapping or a list of JSON patch operations, or leave it out`,
    );
  }
  if (typeof patch !== "string") {
    return Array.isArray(patch) ? patch : { documents: [patch] };
  }
  if (isList(patch)) {
    return decodeList(patch);
  }
  const name = /^@?([^\s{}[\]:,]+\.(?:ya?ml|json))$/.exec(patch.trim())?.[1];
  if (name !== undefined || patch.startsWith("@")) {
    throw refusal(
      patch.startsWith("@")
        ? "names a file that was not read: only MachineConfiguration and ConfigurationApply read files"
        : `is the name of a file, not a patch: write "@${name ?? ""}" to have the file read`,
    );
  }
  const key = `${schema.talosMinor} ${patch}`;
  return { documents: readTexts.get(key, () => freeze(decodeDocuments(patch, schema))) };
}

/** Parsed documents of patches, because a role's machines share most of them. */
const readTexts = new LruCache<readonly ConfigDocument[]>(32);

/** Whether a YAML text is one list: after comments and markers, the first line starts one. */
function isList(text: string): boolean {
  return /^(?:[^\S\n]*(?:#[^\n]*)?\n|---[^\S\n]*\n)*(?:---)?\s*(?:\[|-(?:\s|$))/.test(text);
}

function readOperations(
  steps: readonly unknown[],
  label: string,
  problems: ConfigProblem[],
): JsonPatchOperation[] {
  if (steps.length === 0) {
    throw refusal(EMPTY);
  }
  return readJsonPatch(steps, label, problems);
}

const EMPTY = "is empty: leave it out";

function refusal(message: string): ConfigError {
  return new ConfigError([{ document: "", path: "", message }]);
}

function readDocuments(
  documents: readonly ConfigDocument[],
  label: string,
  schema: ConfigSchema,
  problems: ConfigProblem[],
): PatchDocument[] {
  const given = documents.filter((document) =>
    Object.keys(document).some((key) => key !== "version"),
  );
  if (given.length === 0) {
    throw refusal(EMPTY);
  }
  const ids = new Set<string>();
  const read = given.flatMap((document, index) => {
    const id = documentId(document);
    const name = given.length === 1 ? label : `${label}, document ${index + 1} (${id})`;
    const part = readDocument(document, name, schema, problems);
    if (part.merge !== undefined || !mayStandBeside(part)) {
      // Since v1.14, documents of one patch are merged one after the other, like patches.
      if (schema.talosMinor < 14 && ids.has(id)) {
        problems.push({
          document: name,
          path: "",
          message: `${id} is there twice: put everything for it in one document`,
        });
      }
      ids.add(id);
    }
    return part.field === undefined ? [] : [{ ...part, field: part.field }];
  });
  return inOrder(read, schema.talosMinor);
}

/** Whether Talos sees only deletions in a document with nothing to merge. */
function mayStandBeside({ id, deletions }: Pick<PatchDocument, "id" | "deletions">): boolean {
  return id === "v1alpha1" || deletions.some(({ path }) => path.length === 0);
}

/**
 * Talos' order: deletions of the machine configuration proper, its merge, then the other documents.
 * Since v1.14, all deletions of it come first, and then everything else as it is written.
 */
function inOrder(documents: readonly PatchDocument[], talosMinor: number): PatchDocument[] {
  if (talosMinor < 14) {
    const place = ({ id, merge }: PatchDocument): number =>
      id !== "v1alpha1" ? 2 : merge === undefined ? 0 : 1;
    return [...documents].sort((a, b) => place(a) - place(b));
  }
  const split = documents.flatMap((document) =>
    document.id !== "v1alpha1" || document.deletions.length === 0
      ? [document]
      : [
          { ...document, merge: undefined },
          ...(document.merge === undefined ? [] : [{ ...document, deletions: [] }]),
        ],
  );
  const isFirst = ({ id, merge }: PatchDocument) => id === "v1alpha1" && merge === undefined;
  return [...split.filter(isFirst), ...split.filter((document) => !isFirst(document))];
}

function readDocument(
  document: ConfigDocument,
  label: string,
  schema: ConfigSchema,
  problems: ConfigProblem[],
): Omit<PatchDocument, "field"> & { readonly field: Field | undefined } {
  const split = splitDeletions(document, (path, message) =>
    problems.push({ document: label, path: formatPath(path), message }),
  );
  const identity = identityOf(document);
  const checked = schemaProblems(split.merge ?? identity, schema, { partial: true });
  problems.push(...checked.map((problem) => ({ ...problem, document: label })));
  const id = documentId(document);
  const field = schema.fieldOf(document);
  if (id === "v1alpha1" && split.deletions.some(({ path }) => path.length === 0)) {
    problems.push({
      document: label,
      path: "",
      message: "the machine configuration as a whole can't be deleted, only parts of it",
    });
  }
  return { ...split, label, id, field };
}
