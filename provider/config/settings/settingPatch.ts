import type { ConfigDocument, YamlValue } from "../machineConfig";
import { talosMinor } from "../releases/talosMinor";
import { joinDocuments } from "./fieldsOf";
import { pathOf, withValue } from "./keyPaths";
import { locate } from "./locate";
import { pemOfBase64 } from "./pemForms";

/** A setting, named by its place in the machine configuration proper, and its value as that has it. */
export type NewSetting = readonly [field: string, value: YamlValue];

/**
 * The patches that set settings of a configuration where it has them: in its documents, or in the
 * machine configuration proper. Talos refuses a setting in both.
 *
 * Source: siderolabs/talos v1.14.1, pkg/machinery/config/generate/stdpatches/guess.go.
 *
 * @param documents the configuration
 * @throws Error for a setting that has another form in documents
 */
export function settingPatches(
  documents: readonly ConfigDocument[],
  settings: readonly NewSetting[],
): ConfigDocument[] {
  return patchesFor(joinDocuments(documents), settings);
}

/**
 * The first contract that writes a document for each setting that has one. Source: Talos v1.14.1,
 * pkg/machinery/config/contract.go.
 */
export const FIRST_MINOR_IN_DOCUMENTS = 14;

/**
 * The same for a configuration that isn't generated yet.
 *
 * @param versionContract its dialect, `v1.14`
 */
export function plannedPatches(
  versionContract: string,
  settings: readonly NewSetting[],
): ConfigDocument[] {
  const inDocuments = (talosMinor(versionContract) ?? 0) >= FIRST_MINOR_IN_DOCUMENTS;
  return patchesFor(inDocuments ? undefined : {}, settings);
}

/**
 * The same for a configuration by its outline.
 *
 * @param outline undefined: of a configuration that has every document
 */
export function patchesFor(
  outline: ConfigDocument | undefined,
  settings: readonly NewSetting[],
): ConfigDocument[] {
  const patches = settings.reduce((made, [field, value]) => {
    const path = pathOf(field);
    const location = locate(path, outline);
    if (location?.isDerived === true) {
      throw new Error(
        `${field} can't be set in ${location.place.join(".")}: it has another form there`,
      );
    }
    const [id = "", ...rest] = location?.place ?? path;
    const [key, inside] = location === undefined ? ["", path] : [id, rest];
    const formed = location?.form === undefined ? value : inDocument(value, location.form);
    return made.set(key, withValue(made.get(key) ?? headOf(key), inside, formed));
  }, new Map<string, ConfigDocument>());
  return [...patches.values()];
}

function headOf(kind: string): ConfigDocument {
  return kind === "" ? {} : { apiVersion: "v1alpha1", kind };
}

function inDocument(value: YamlValue, form: "opposite" | "pem"): YamlValue {
  return form === "opposite" ? value !== true : pemOfBase64(typeof value === "string" ? value : "");
}
