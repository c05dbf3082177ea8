import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "./machineConfig";
import { secretMarker } from "./secretMark";
import { textIn } from "./settings/settingIn";

/** A mark of a secret that a person chose: see `redactDocuments`. */
const KEYED_MARK = /«secret hmac:[0-9a-f]{8}»/g;

/**
 * Two outlines whose equal places are equal. The marks of secrets that people chose are keyed with the
 * cluster's secret. If a rotation has replaced that, marks of one outline say nothing about the other, so
 * they lose their fingerprints: such a secret counts as unchanged.
 *
 * @param before the outline of the former configuration (`outlineDocuments`)
 * @param after the outline of the new one
 */
export function comparableOutlines(
  before: ConfigDocument,
  after: ConfigDocument,
): readonly [ConfigDocument, ConfigDocument] {
  // The mark of the cluster's secret.
  const [old, now] = [before, after].map((outline) => textIn(outline, "cluster.secret"));
  return old === undefined || now === undefined || old === now
    ? [before, after]
    : [withoutFingerprints(before), withoutFingerprints(after)];
}

function withoutFingerprints(outline: ConfigDocument): ConfigDocument {
  return mapMembers(outline, withoutFingerprint);
}

function withoutFingerprint(value: YamlValue): YamlValue {
  if (typeof value === "string") {
    return value.replace(KEYED_MARK, secretMarker);
  }
  return Array.isArray(value)
    ? value.map(withoutFingerprint)
    : isMapping(value)
      ? withoutFingerprints(value)
      : value;
}
