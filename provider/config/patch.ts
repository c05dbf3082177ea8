import { ConfigError, type ConfigProblem } from "./configError";
import type { ConfigSchema, Field } from "./configSchema";
import { decodeDocuments } from "./encode";
import { cloneValue, type ConfigDocument, documentId, textAt } from "./machineConfig";
import { mergeDocuments } from "./merge";
import { normalizeDocument } from "./normalize";
import { applyDeletion, describeDeletion, splitDeletions, type SplitPatch } from "./patchDelete";
import { formatPath } from "./path";
import { schemaProblems } from "./schemaProblems";
import { newestSchema } from "./talosSchemas";

/** A strategic merge patch: YAML text, of one document or several, or one document as plain data. */
export type Patch = string | ConfigDocument;

/** One document of a patch, ready to apply. */
interface PatchDocument extends SplitPatch {
  /** `patches[1]`, and which document of it when there are several. */
  readonly label: string;
  readonly id: string;
  readonly field: Field;
}

/**
 * Applies strategic merge patches one after the other, by Talos' rules: each document of a patch
 * goes into the configuration's document of the same kind and name, or is added when there is none.
 * First everything marked `$patch: delete` goes, then the rest merges (see `mergeValue`). A
 * document that a patch touched comes out as Talos would write it. Nothing given is changed.
 *
 * More forgiving than Talos in three things: an empty patch changes nothing; a deletion reaches
 * into free values, such as the configuration of an admission plugin; and a document can be deleted
 * without a crash when it is not there.
 *
 * @param options.schema what the Talos that gets the configuration reads. Default: the newest
 * @throws ConfigError naming patch and path: of all patches that can't be read or have a field that
 * does not exist; else of the first that does not fit the configuration. Never quotes a secret
 */
export function applyPatches(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  options: { readonly schema?: ConfigSchema } = {},
): ConfigDocument[] {
  const { schema = newestSchema } = options;
  const problems: ConfigProblem[] = [];
  const parsed = patches.map((patch, index) =>
    readPatch(patch, `patches[${index}]`, schema, documents.length, problems),
  );
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return parsed.flat().reduce(applyPatchDocument, documents.map(cloneValue));
}

function readPatch(
  patch: Patch,
  label: string,
  schema: ConfigSchema,
  documentCount: number,
  problems: ConfigProblem[],
): PatchDocument[] {
  if (Array.isArray(patch) || (typeof patch === "string" && looksLikeJsonPatch(patch))) {
    problems.push({ document: label, path: "", message: jsonPatchRefusal(documentCount) });
    return [];
  }
  let documents: ConfigDocument[];
  try {
    documents = typeof patch === "string" ? decodeDocuments(patch) : [patch];
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
    return [];
  }
  const ids = new Set<string>();
  return documents
    .filter((document) => Object.keys(document).length > 0)
    .flatMap((document, index) => {
      const id = documentId(document);
      const name = documents.length === 1 ? label : `${label}, document ${index + 1} (${id})`;
      if (ids.has(id)) {
        problems.push({
          document: name,
          path: "",
          message: `${id} is there twice: put everything for it in one document`,
        });
      }
      ids.add(id);
      return readDocument(document, name, schema, problems);
    });
}

function readDocument(
  document: ConfigDocument,
  label: string,
  schema: ConfigSchema,
  problems: ConfigProblem[],
): PatchDocument[] {
  const split = splitDeletions(document, (path, message) =>
    problems.push({ document: label, path: formatPath(path), message }),
  );
  const identity = identityOf(document);
  const checked = schemaProblems(split.merge ?? identity, schema, { partial: true });
  problems.push(...checked.map((problem) => ({ ...problem, document: label })));
  const id = documentId(document);
  const field = schema.document(textAt(document, "kind") ?? "");
  if (id === "v1alpha1" && split.deletions.some(({ path }) => path.length === 0)) {
    problems.push({
      document: label,
      path: "",
      message: "the machine configuration as a whole can't be deleted, only parts of it",
    });
  }
  return field === undefined || checked.length > 0 ? [] : [{ ...split, label, id, field }];
}

/** The keys of a patch document that say which document it is for. */
function identityOf(document: ConfigDocument): ConfigDocument {
  const { apiVersion, kind, name } = document;
  return Object.fromEntries(
    Object.entries({ apiVersion, kind, name }).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

function applyPatchDocument(
  documents: readonly ConfigDocument[],
  patch: PatchDocument,
): ConfigDocument[] {
  const present = documents.findIndex((document) => documentId(document) === patch.id);
  const target = documents[present];
  if (target === undefined) {
    return addDocument(documents, patch);
  }
  if (patch.deletions.some(({ path }) => path.length === 0)) {
    return documents.filter((document) => document !== target);
  }
  const missing = patch.deletions.filter(
    (deletion) => applyDeletion(target, deletion, patch.field) === undefined,
  );
  if (missing.length > 0) {
    throw new ConfigError(
      missing.map((deletion) => deletionProblem(patch, describeDeletion(deletion))),
    );
  }
  const remaining = patch.deletions.reduce(
    (document, deletion) => applyDeletion(document, deletion, patch.field) ?? document,
    target,
  );
  const problems: ConfigProblem[] = [];
  const merged = mergeDocuments(remaining, patch.merge ?? {}, patch.field, (path, message) =>
    problems.push({ document: patch.label, path: formatPath(path), message }),
  );
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  const patched = normalizeDocument(merged, patch.field);
  return documents.map((document) => (document === target ? patched : document));
}

function addDocument(documents: readonly ConfigDocument[], patch: PatchDocument): ConfigDocument[] {
  if (patch.deletions.length > 0) {
    const present = documents.map(documentId).join(", ");
    throw new ConfigError([
      {
        document: patch.label,
        path: "",
        message: `there is no document ${patch.id} to delete from; the configuration has ${present === "" ? "none" : present}`,
      },
    ]);
  }
  if (patch.merge === undefined) {
    return [...documents];
  }
  const added = normalizeDocument(patch.merge, patch.field);
  return patch.id === "v1alpha1" ? [added, ...documents] : [...documents, added];
}

function deletionProblem(patch: PatchDocument, what: string): ConfigProblem {
  return {
    document: patch.label,
    path: what,
    message: `can't be deleted from ${patch.id}: it is not there; check the spelling, or leave it out of the patch`,
  };
}

function looksLikeJsonPatch(text: string): boolean {
  return /^\s*(?:\[|-\s+(?:op|path|value|from)\s*:)/.test(
    text.replace(/^(?:\s*(?:#.*)?\n|---\s*\n)+/, ""),
  );
}

function jsonPatchRefusal(documentCount: number): string {
  const reason =
    documentCount > 1
      ? "JSON patches (RFC 6902) can't say which document they mean, so Talos refuses them for a configuration of several documents, as every one since v1.12 is"
      : "JSON patches (RFC 6902) are not supported";
  return `${reason}: write it as a strategic merge patch, like {machine: {…}}; "$patch: delete" removes things`;
}
