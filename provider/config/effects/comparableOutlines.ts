import { type ConfigDocument, mapScalars } from "../machineConfig";
import { secretMarker } from "../secrets/secretMark";
import { textIn } from "../settings/settingIn";
import { inSameForm } from "./sameForm";

/** A mark of a secret that a person chose: see `redactDocuments`. */
const KEYED_MARK = /«secret hmac:[0-9a-f]{8}»/g;

/**
 * Two outlines whose equal places are equal: in one form, where they have two. The marks of secrets that people chose are keyed with the
 * cluster's secret. If a rotation has replaced that, marks of one outline say nothing about the other, so
 * they lose their fingerprints: such a secret counts as unchanged.
 *
 * @param former the outline of the former configuration (`outlineDocuments`)
 * @param next the outline of the new one
 */
export function comparableOutlines(
  former: ConfigDocument,
  next: ConfigDocument,
): readonly [ConfigDocument, ConfigDocument] {
  const [before, after] = inSameForm(former, next);
  // The mark of the cluster's secret.
  const [old, now] = [before, after].map((outline) => textIn(outline, "cluster.secret"));
  return old === undefined || now === undefined || old === now
    ? [before, after]
    : [withoutFingerprints(before), withoutFingerprints(after)];
}

function withoutFingerprints(outline: ConfigDocument): ConfigDocument {
  return mapScalars(outline, (value) =>
    typeof value === "string" ? value.replace(KEYED_MARK, secretMarker) : value,
  );
}
