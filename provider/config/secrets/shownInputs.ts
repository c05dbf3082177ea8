import { isUnknown } from "../../base/unknown";
import type { SecretsBundle } from "../../pki/secretsBundle";
import { WITHHELD } from "../../pki/withheld";
import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "../machineConfig";
import { contentOf, type Patch } from "../patches/readPatch";
import { newestSchema } from "../schema/talosSchemas";
import { redactDocument } from "./redact";
import { tellNothing } from "./secretMark";
import { redactPlace } from "./secretPlaces";

/** Inputs of a configuration that are secret as a whole because they may contain secrets. */
const MIXED_INPUTS: readonly string[] = [
  "diskEncryption",
  "inlineManifests",
  "patches",
  "userVolumes",
];

/** Whether an input is one of these. */
export function isMixed(name: string): boolean {
  return MIXED_INPUTS.includes(name);
}

/** Whether secrets are withheld from a bundle. */
export function isWithheldBundle({ cluster }: SecretsBundle): boolean {
  return cluster.secret === WITHHELD;
}

/** All of these inputs of a configuration that are known, as `shownInput` has them. */
export function shownInputs(
  inputs: object,
  outline: ConfigDocument,
): Readonly<Record<string, YamlValue>> {
  const given = Object.entries(inputs).filter(
    ([name, value]) => isMixed(name) && value !== undefined && !isUnknown(value),
  );
  return Object.fromEntries(
    given.map(([name, value]) => [name, shownInput(name, value as YamlValue, outline)]),
  );
}

/**
 * What may be shown of such an input: each value that the configuration's outline shows as it is, and that
 * stands where no secret does. All others are withheld, also those that the configuration doesn't contain.
 *
 * @param outline without shortened texts
 * @param withheld takes each text that is withheld
 */
export function shownInput(
  name: string,
  value: YamlValue,
  outline: ConfigDocument,
  withheld = new Set<string>(),
): YamlValue {
  const shown = { texts: new Set(textsIn(outline)), withheld };
  if (name !== "patches" || !Array.isArray(value)) {
    return shownIn(value, redactPlace("pod", value, tellNothing), shown);
  }
  return (value as readonly Patch[]).flatMap((patch): YamlValue[] => {
    const content = contentOf(patch, newestSchema);
    return Array.isArray(content)
      ? [content.map((step) => shownStep(step as YamlValue, shown))]
      : content.documents.map((document) => shownIn(document, redactDocument(document), shown));
  });
}

interface Shown {
  readonly texts: ReadonlySet<string>;
  readonly withheld: Set<string>;
}

/** Which value a step of a JSON patch means, only the configuration says. */
function shownStep(step: YamlValue, shown: Shown): YamlValue {
  return isMapping(step)
    ? mapMembers(step, (item, key) => (key === "value" ? shownIn(item, undefined, shown) : item))
    : shownIn(step, undefined, shown);
}

/** The values that are the same in a redacted form, and shown. */
function shownIn(value: YamlValue, redacted: YamlValue | undefined, shown: Shown): YamlValue {
  if (Array.isArray(value)) {
    const others = Array.isArray(redacted) ? redacted : [];
    return value.map((item, index) => shownIn(item, others[index], shown));
  }
  if (isMapping(value)) {
    const others = isMapping(redacted) ? redacted : {};
    return mapMembers(value, (item, key) => shownIn(item, others[key], shown));
  }
  const isPlain = value === null || typeof value === "boolean" || value === "";
  if (isPlain || (value === redacted && shown.texts.has(String(value)))) {
    return value;
  }
  shown.withheld.add(String(value));
  return WITHHELD;
}

/** All that an outline shows: its values as texts, its keys, and the kinds and names in them. */
function textsIn(value: YamlValue): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap(textsIn);
  }
  return isMapping(value)
    ? Object.entries(value).flatMap(([key, item]) => [...partsOf(key), ...textsIn(item)])
    : [String(value)];
}

function partsOf(key: string): readonly string[] {
  const [, kind = "", name = ""] = /^([A-Z]\w*)\/(.*)$/s.exec(key) ?? [];
  return [key, kind, name];
}
