import { isDeepStrictEqual } from "node:util";
import type { ConfigProblem } from "./configError";
import { type ConfigDocument, documentId, textAt } from "./machineConfig";

/** Kinds that say where the cluster's keys are, for rotations. Only this package may write them. */
const ROTATION_KINDS: readonly string[] = [
  "KubeAPIServerCAConfig",
  "KubeAggregatorCAConfig",
  "KubeEtcdEncryptionConfig",
  "KubeServiceAccountConfig",
];

/**
 * Documents with the cluster's keys that this package didn't write, or that are missing.
 *
 * @param base the same documents before the patches. Documents for rotations that are the same there
 *   are this package's own
 */
export function ownedDocuments(
  documents: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
): ConfigProblem[] {
  const [own, found] = [base, documents].map((all) => all.filter(isOwned)) as [
    ConfigDocument[],
    ConfigDocument[],
  ];
  return [
    ...found.filter((each) => !own.some((other) => isDeepStrictEqual(other, each))),
    ...own.filter((each) => !found.some((other) => documentId(other) === documentId(each))),
  ].map(ownedProblem);
}

function isOwned(document: ConfigDocument): boolean {
  return ROTATION_KINDS.includes(textAt(document, "kind") ?? "");
}

function ownedProblem(document: ConfigDocument): ConfigProblem {
  const message =
    "can't be set, changed or deleted by patches: it contains the cluster's keys, which come from the secrets bundle and the rotation. Leave it out";
  return { document: documentId(document), path: "", message };
}
