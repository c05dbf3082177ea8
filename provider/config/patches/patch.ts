import { isDeepStrictEqual } from "node:util";
import { ConfigError, type ConfigProblem } from "../configError";
import { cloneValue, type ConfigDocument, documentId, textAt } from "../machineConfig";
import { formatPath } from "../path";
import { CONTROL_PLANE_KINDS } from "../rules/wholeConfigRules";
import type { ConfigSchema } from "../schema/configSchema";
import { normalizeDocument } from "../schema/normalize";
import { schemaProblems } from "../schema/schemaProblems";
import { schemaOfDocuments } from "../schema/talosSchemas";
import { applyJsonPatch, type JsonPatchOperation } from "./jsonPatch";
import { mergeDocuments } from "./merge";
import { applyDeletion, describeDeletion } from "./patchDelete";
import { type Patch, type PatchDocument, readPatch, type ReadPatch } from "./readPatch";

export type { Patch, PatchFile } from "./readPatch";

/**
 * Applies patches one after the other, by Talos' rules. Each document of a strategic merge patch is
 * merged into the configuration's document of the same kind and name, or added if there is none.
 * First everything with `$patch: delete` is deleted, then the rest is merged (see `mergeValue`). A
 * changed document is written as Talos would write it. The arguments are not changed.
 *
 * It does the same as `talosctl machineconfig patch`, with these deliberate differences:
 * - A deletion from a missing document is refused; Talos crashes, or writes an empty one, or since v1.14
 *   skips it. Only documents of control planes may be missing on workers.
 * - CEL expressions and sizes of volumes that a patch does not contain stay; Talos empties them in
 *   every document that the patch changes.
 * - `install.diskSelector.size`, users in URLs, and addresses and networks that are not in a list
 *   are replaced; Talos refuses that.
 * - Deletions reach free values, the parts of a certificate, the common fields of link documents
 *   (in Talos since v1.13), and list items chosen by a number.
 * - Refused here, but accepted by Talos: empty items of lists, words in other letter cases,
 *   fractions as whole numbers, integers beyond JavaScript's range, permissions of files beyond
 *   0o7777, an empty patch of a single document, JSON patches that leave out a value or copy or
 *   test a missing one, unknown words that Talos finds only during validation.
 * - A JSON patch keeps arguments like `on` or `yes`; in Talos v1.13 it makes them `true`.
 * - Blank documents in a patch are skipped, and the number 0 is a duration (in Talos since v1.13).
 * - `validateDocuments` finds conflicting documents, not this function.
 *
 * Source: pkg/machinery/config/{configpatcher,merge,configloader}, Talos v1.10.6 to v1.14.1.
 *
 * @param options.schema of the Talos that reads the configuration. Default: of the one that the
 *   documents install
 * @throws ConfigError naming patch, file and path: of all unreadable patches and unknown fields;
 *   otherwise of the first patch that does not fit the configuration. It never quotes a secret
 */
export function applyPatches(
  documents: readonly ConfigDocument[],
  patches: readonly Patch[],
  options: { readonly schema?: ConfigSchema } = {},
): ConfigDocument[] {
  const { schema = schemaOfDocuments(documents) } = options;
  const problems: ConfigProblem[] = [];
  const read = patches.map((patch, index) => readPatch(patch, index, schema, problems));
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  const given = documents.map(cloneValue);
  const patched = read.reduce((before, patch) => apply(before, patch, schema), given);
  return patched.map((document) =>
    given.includes(document) ? document : normalizeDocument(document, schema),
  );
}

function apply(documents: ConfigDocument[], patch: ReadPatch, schema: ConfigSchema) {
  if ("operations" in patch) {
    return [applyOperations(documents, patch.operations, patch.label, schema)];
  }
  const present = new Set(documents.map(documentId));
  return patch.documents.reduce((before, part) => {
    const target = before.find((document) => documentId(document) === part.id);
    if (part.deletions.length > 0 && (target === undefined || !present.has(part.id))) {
      if (isForOtherMachines(part, before, schema)) {
        return before;
      }
      throw new ConfigError([nothingToDeleteFrom(part, present)]);
    }
    return target === undefined
      ? addDocument(before, part)
      : changeDocument(before, target, part, schema.talosMinor);
  }, documents);
}

/**
 * Whether a patch deletes a document of control planes from a worker, which has none: one patch then serves
 * all machines. Talos since v1.14 skips every deletion of a document that is not there.
 */
function isForOtherMachines(
  { id, deletions }: PatchDocument,
  documents: readonly ConfigDocument[],
  { talosMinor }: ConfigSchema,
): boolean {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  return (
    talosMinor >= 14 &&
    deletions.some(({ path }) => path.length === 0) &&
    CONTROL_PLANE_KINDS.includes(id.replace(/\/.*/s, "")) &&
    textAt(config?.machine, "type") === "worker"
  );
}

/** Talos changes the configuration in its own notation, and reads the result strictly. */
function applyOperations(
  documents: readonly ConfigDocument[],
  operations: readonly JsonPatchOperation[],
  label: string,
  schema: ConfigSchema,
): ConfigDocument {
  const [document, second] = documents;
  if (document === undefined || second !== undefined) {
    const present = documents.map(documentId).join(", ");
    throw new ConfigError([
      {
        document: label,
        path: "",
        message: `a JSON patch (RFC 6902) can't name a document, so Talos accepts none for a configuration with several, and this one has ${present}: write it as a strategic merge patch, like {machine: {…}}; "$patch: delete" removes things`,
      },
    ]);
  }
  const patched = applyJsonPatch(normalizeDocument(document, schema), operations, label);
  const before = schemaProblems(document, schema, { partial: true });
  const problems = schemaProblems(patched, schema, { partial: true }).filter(
    (problem) => !before.some((old) => isDeepStrictEqual(old, problem)),
  );
  if (problems.length > 0) {
    throw new ConfigError(problems.map((problem) => ({ ...problem, document: label })));
  }
  return patched;
}

function changeDocument(
  documents: readonly ConfigDocument[],
  target: ConfigDocument,
  patch: PatchDocument,
  talosMinor: number,
): ConfigDocument[] {
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
  const patched = mergeDocuments(remaining, patch.merge ?? {}, patch.field, {
    talosMinor,
    report: (path, message) =>
      problems.push({ document: patch.label, path: formatPath(path), message }),
  });
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return documents.map((document) => (document === target ? patched : document));
}

function addDocument(documents: readonly ConfigDocument[], patch: PatchDocument): ConfigDocument[] {
  if (patch.merge === undefined) {
    return [...documents];
  }
  const added = cloneValue(patch.merge);
  return patch.id === "v1alpha1" ? [added, ...documents] : [...documents, added];
}

function nothingToDeleteFrom(patch: PatchDocument, present: ReadonlySet<string>): ConfigProblem {
  const list = present.size === 0 ? "none" : [...present].join(", ");
  return {
    document: patch.label,
    path: "",
    message: `there is no document ${patch.id} to delete from; the configuration has ${list}`,
  };
}

function deletionProblem(patch: PatchDocument, what: string): ConfigProblem {
  return {
    document: patch.label,
    path: what,
    message: `can't be deleted from ${patch.id}: it is not there; check the spelling, or leave it out of the patch`,
  };
}
