import type { ConfigProblem } from "../configError";
import type { ConfigSchema } from "../configSchema";
import { parseDuration } from "../duration";
import { isAddress } from "../formats";
import { documentId, isMapping, textAt, type ConfigDocument } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { DocumentView } from "./documentView";

/** A setting of the machine configuration that a document kind replaces. */
interface Replaced {
  readonly kind: string;
  readonly path: Path;
  readonly advice: string;
}

/**
 * Settings of the machine configuration that conflict with a document for the same purpose. Source:
 * the V1Alpha1ConflictValidate methods of pkg/machinery/config/types, Talos v1.12.1.
 */
const replaced: readonly Replaced[] = [
  {
    kind: "HostnameConfig",
    path: ["machine", "network", "hostname"],
    advice:
      'patch the document HostnameConfig instead: {apiVersion: v1alpha1, kind: HostnameConfig, auto: "off", hostname: …}',
  },
  {
    kind: "HostnameConfig",
    path: ["machine", "features", "stableHostname"],
    advice: 'the document HostnameConfig does the same with auto "stable": leave it out',
  },
  {
    kind: "KubeSpanConfig",
    path: ["machine", "network", "kubespan"],
    advice: "leave it out, or leave the document KubeSpanConfig out",
  },
  ...["nameservers", "searchDomains", "disableSearchDomain"].map((key) => ({
    kind: "ResolverConfig",
    path: ["machine", "network", key],
    advice: "leave it out, or leave the document ResolverConfig out",
  })),
  ...["disabled", "servers", "bootTimeout"].map((key) => ({
    kind: "TimeSyncConfig",
    path: ["machine", "time", key],
    advice: "leave it out, or leave the document TimeSyncConfig out",
  })),
];

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
  return [...problems, ...replacedProblems(documents, schema.talosMinor)];
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
  const kinds = new Set(documents.map((document) => textAt(document, "kind")));
  for (const { kind, path, advice } of replaced) {
    if (kinds.has(kind) && isSet(view, path)) {
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

function isSet(view: DocumentView, path: Path): boolean {
  const value = view.get(...path);
  if (formatPath(path) === "machine.time.bootTimeout") {
    return (parseDuration(view.text(...path) ?? "") ?? 0n) !== 0n;
  }
  if (formatPath(path) === "machine.network.nameservers") {
    // Talos counts only texts that are addresses.
    return view.texts(...path).some(([, nameserver]) => isAddress(nameserver));
  }
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== false && value !== "";
}
