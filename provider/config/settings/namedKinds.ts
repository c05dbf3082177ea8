import type { ConfigDocument, YamlValue } from "../machineConfig";
import { documentsNamed, isPodNetwork, membersOf } from "./formsOfKinds";

/** A kind with a document for each item of a list or mapping in the machine configuration proper. */
export interface NamedKind {
  readonly kind: string;
  /** The field with the items. */
  readonly field: string;
  /** An item as the field has it, without its name. */
  readonly item: (document: ConfigDocument, name: string) => YamlValue;
  /** The key of the name in an item. Undefined: items have no names. */
  readonly nameKey?: "name";
  /** The key of an item that has another name in the document, with that name. */
  readonly member?: readonly [key: string, member: string];
  /** Whether items of the field count beside the documents. Default: no. */
  readonly both?: true;
  /** Whether a document is something else in this configuration. Default: no. */
  readonly isOther?: (name: string, outline: ConfigDocument) => boolean;
}

/**
 * Kinds with several documents. Source: as of `settingPlaces`; `KernelModuleConfigs`,
 * `K8sInlineManifestConfigs` and their neighbours in pkg/machinery/config/container/container.go.
 */
export const namedKinds: readonly NamedKind[] = [
  {
    kind: "KernelModuleConfig",
    field: "machine.kernel.modules",
    item: (document) => membersOf(document),
    nameKey: "name",
    both: true,
  },
  {
    kind: "KubeStaticPodConfig",
    field: "machine.pods",
    item: ({ pod = {} }) => pod,
    both: true,
  },
  {
    kind: "KubeInlineManifestConfig",
    field: "cluster.inlineManifests",
    item: ({ manifest = "" }) => ({ contents: manifest }),
    nameKey: "name",
    member: ["contents", "manifest"],
    both: true,
  },
  {
    // Headers of a document are only for its own URL: a field has none of them.
    kind: "KubeExternalManifestConfig",
    field: "cluster.extraManifests",
    item: ({ url = "" }) => url,
    both: true,
    isOther: isPodNetwork,
  },
  {
    kind: "KubeAdmissionControlConfig",
    field: "cluster.apiServer.admissionControl",
    item: (document) => membersOf(document),
    nameKey: "name",
  },
  {
    kind: "KubeAuthorizerConfig",
    field: "cluster.apiServer.authorizationConfig",
    item: (document) => membersOf(document),
    nameKey: "name",
  },
];

/** The documents of a kind that are items of its field, with their names. */
export function itemDocuments(
  outline: ConfigDocument,
  { kind, isOther }: Pick<NamedKind, "kind" | "isOther">,
): ReturnType<typeof documentsNamed> {
  return documentsNamed(outline, kind).filter(([name]) => isOther?.(name, outline) !== true);
}

/**
 * The document of an item in a list; undefined for an item of the field itself. The documents come first.
 *
 * @returns its id, as in an outline
 */
export function itemDocument(
  outline: ConfigDocument,
  field: string,
  index: number,
): string | undefined {
  const named = namedKinds.find((each) => each.field === field);
  const found = named && itemDocuments(outline, named)[index];
  return found && `${named.kind}/${found[0]}`;
}
