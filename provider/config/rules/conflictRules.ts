import type { ConfigProblem } from "../configError";
import type { ConfigSchema } from "../configSchema";
import { parseDuration } from "../duration";
import { isAddress } from "../formats";
import { documentId, isMapping, textAt, type ConfigDocument } from "../machineConfig";
import { formatPath } from "../path";
import { componentFileProblems } from "./componentFileRules";
import { DocumentView } from "./documentView";
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
  for (const setting of replacedSettings) {
    const { kind, path, advice } = setting;
    if (documents.some((document) => replaces(document, setting)) && isSet(view, setting)) {
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
