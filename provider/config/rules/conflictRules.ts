import type { ConfigProblem } from "../configError";
import { documentId, isMapping, textAt, type ConfigDocument } from "../machineConfig";
import { formatPath, type Path } from "../path";
import type { ConfigSchema } from "../schema/configSchema";
import { parseDuration } from "../schema/duration";
import { isAddress } from "../schema/formats";
import { valueAt } from "../secrets/quote";
import { redactDocument } from "../secrets/redact";
import { componentFileProblems } from "./componentFileRules";
import { DocumentView } from "./documentView";
import { documentsInstead } from "./instead/documentsInstead";
import { type ReplacedSetting, replacedSettings } from "./replacedSettings";
import { wholeConfigProblems } from "./wholeConfigRules";

/** Conflicts of documents: duplicates, two documents for one link, old settings beside new ones. */
export function conflictProblems(
  documents: readonly ConfigDocument[],
  schema: ConfigSchema,
): ConfigProblem[] {
  const ids = documents.map(documentId);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  const problems = [...twice].map((id) => ({
    document: id,
    path: "",
    message: "is there more than once: put everything for it into one document",
  }));
  documents.forEach((document, index) => {
    const kind = textAt(document, "kind") ?? "";
    const name = textAt(document, "name") ?? "";
    for (const other of schema.documents.get(kind)?.conflictsWith ?? []) {
      const conflict = ids.indexOf(`${other}/${name}`);
      if (conflict !== -1 && conflict < index) {
        problems.push({
          document: ids[index] ?? "",
          path: "",
          message: `can't be together with ${other}/${name}: both are for the same thing`,
        });
      }
    }
  });
  return [
    ...problems,
    ...replacedProblems(documents, schema.talosMinor),
    ...wholeConfigProblems(documents, schema.talosMinor),
    ...componentFileProblems(documents, schema.talosMinor),
  ];
}

function replacedProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  if (config === undefined) {
    return [];
  }
  const view = new DocumentView(config, talosMinor);
  const conflicts = replacedSettings.filter(
    (setting) => documents.some((document) => replaces(document, setting)) && isSet(view, setting),
  );
  if (isInDocuments(documents, config)) {
    reportInstead(view, conflicts);
  } else {
    for (const { kind, path, advice } of conflicts) {
      view.report(path, `can't be set together with the document ${kind}: ${advice}`);
    }
  }
  for (const document of documents.filter((other) => textAt(other, "kind") === "VolumeConfig")) {
    const volume = textAt(document, "name") ?? "";
    const path = ["machine", "systemDiskEncryption", volume.toLowerCase()];
    if (isMapping(document.encryption) && view.isMapping(...path)) {
      view.report(
        path,
        `can't be set together with the document VolumeConfig/${volume}: keep one of the two`,
      );
    }
  }
  return view.problems;
}

/**
 * Whether a configuration has Kubernetes in documents, as contracts from v1.14 on write it. Older ones have
 * all of these sections.
 */
function isInDocuments(documents: readonly ConfigDocument[], config: ConfigDocument): boolean {
  const sections = ["machine.kubelet", "cluster.network", "cluster.controlPlane"];
  return (
    documents.some(({ kind }) => kind === "KubeClusterConfig") &&
    sections.some((section) => !isMapping(valueAt(config, section.split("."))))
  );
}

/** Reports each setting once, with the documents to write for all that it contains. */
function reportInstead(view: DocumentView, conflicts: readonly ReplacedSetting[]): void {
  const redacted = redactDocument(view.document);
  const isWithin = (inner: Path, outer: Path) =>
    inner.length > outer.length && outer.every((step, index) => inner[index] === step);
  const reported = new Set<string>();
  for (const { kind, path, advice } of conflicts) {
    const field = formatPath(path);
    if (!reported.has(field) && !conflicts.some((other) => isWithin(path, other.path))) {
      reported.add(field);
      const instead = documentsInstead(field, valueAt(redacted, path) ?? null);
      view.report(
        path,
        `is in documents of this configuration, and Talos refuses it here: ${instead ?? `the document is ${kind}; ${advice}`}`,
      );
    }
  }
}

function replaces(document: ConfigDocument, { kind, section }: ReplacedSetting): boolean {
  if (textAt(document, "kind") !== kind) {
    return false;
  }
  const part = section === undefined ? document : document[section];
  return isMapping(part) && Object.values(part).some((value) => value !== null);
}

function isSet(view: DocumentView, { path, conflicts }: ReplacedSetting): boolean {
  const value = view.get(...path);
  if (conflicts === "presence") {
    return value !== undefined;
  }
  if (formatPath(path) === "machine.time.bootTimeout") {
    return (parseDuration(view.text(...path) ?? "") ?? 0n) !== 0n;
  }
  if (formatPath(path) === "machine.network.nameservers") {
    // Talos counts only texts that are addresses.
    return view.texts(...path).some(([, nameserver]) => isAddress(nameserver));
  }
  if (formatPath(path) === "cluster.apiServer.auditPolicy") {
    return isMapping(value) && Object.keys(value).length > 0;
  }
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== false && value !== "" && value !== 0;
}
