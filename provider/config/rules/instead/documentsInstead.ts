import { textAt, type YamlValue } from "../../machineConfig";
import { pathOf } from "../../settings/keyPaths";
import { locate } from "../../settings/locate";
import { patchesFor } from "../../settings/settingPatch";
import { encodeDocuments } from "../../yaml/encode";
import type { Translation } from "./instead";
import { kubernetesInstead } from "./kubernetesInstead";
import { machineInstead } from "./machineInstead";

/** Fields with the cluster's keys and identity, which no patch may bring. */
const OF_SECRETS: readonly string[] = [
  "cluster.id",
  "cluster.secret",
  "cluster.ca",
  "cluster.aggregatorCA",
  "cluster.serviceAccount",
  "cluster.secretboxEncryptionSecret",
  "cluster.aescbcEncryptionSecret",
];

const translations: ReadonlyMap<string, Translation> = new Map(
  Object.entries({ ...machineInstead, ...kubernetesInstead }),
);

/** Says a field that one member of a document has; undefined for others. */
function inItsPlace(field: string): Translation | undefined {
  const { place = [], isDerived } = locate(pathOf(field), undefined) ?? {};
  return place.length < 2 || isDerived === true
    ? undefined
    : (value) => ({ documents: patchesFor(undefined, [[field, value]]) });
}

/**
 * What to write instead of a field, in a configuration that has documents for it: the whole patch, ready
 * to paste. Undefined for a field of which that is not known.
 *
 * @param field its path, as in `replacedSettings`
 * @param value what it says, without secrets
 */
export function documentsInstead(field: string, value: YamlValue): string | undefined {
  if (OF_SECRETS.includes(field)) {
    return "it comes from the secrets bundle, so leave it out";
  }
  const translation = translations.get(field) ?? inItsPlace(field);
  if (translation === undefined) {
    return undefined;
  }
  const { documents, lost = [] } = translation(value);
  const without = lost.map((part) => `${field}.${part}`).join("; ");
  if (documents.length === 0) {
    return without === "" ? "leave it out, it says what is so anyway" : without;
  }
  const text = encodeDocuments(documents);
  const kinds = [...new Set(documents.map((document) => textAt(document, "kind") ?? ""))].join(
    ", ",
  );
  const secrets = text.includes("«secret") ? ", with your own value for each «secret»" : "";
  const others = without === "" ? "" : ` (${without})`;
  return `patch ${kinds} instead${secrets}${others}:\n${text.trimEnd()}`;
}
