import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { fieldsOf } from "./fieldsOf";
import { pathOf, valueAt } from "./keyPaths";
import { locate } from "./locate";

/** A setting in a configuration. */
export interface FoundSetting {
  /** Where it stands, or would stand: `["KubeAPIServerConfig", "image"]`, as in an outline. */
  readonly place: readonly string[];
  /** As the field has it; undefined where nothing is said. */
  readonly value: YamlValue | undefined;
}

/**
 * A setting in either form of a configuration.
 *
 * @param outline of the configuration (`outlineDocuments`)
 * @param field its place in the machine configuration proper: `cluster.apiServer.image`. Sections and
 *   places within settings count too
 * @param more further keys, which may have dots
 */
export function settingIn(
  outline: ConfigDocument,
  field: string,
  ...more: readonly string[]
): FoundSetting {
  const path = [...pathOf(field), ...more];
  return { place: placeOf(outline, path), value: valueAt(fieldsOf(outline), path) };
}

/** The value of a setting; undefined where nothing is said. */
export function valueIn(
  outline: ConfigDocument,
  field: string,
  ...more: readonly string[]
): YamlValue | undefined {
  return valueAt(fieldsOf(outline), [...pathOf(field), ...more]);
}

/** The text of a setting; undefined where nothing is said, or something else. */
export function textIn(
  outline: ConfigDocument,
  field: string,
  ...more: readonly string[]
): string | undefined {
  const value = valueIn(outline, field, ...more);
  return typeof value === "string" ? value : undefined;
}

/** The mapping of a setting; empty where nothing is said, or something else. */
export function mappingIn(outline: ConfigDocument, field: string): ConfigDocument {
  const value = valueIn(outline, field);
  return isMapping(value) ? value : {};
}

/** The texts in the list of a setting. */
export function textsIn(outline: ConfigDocument, field: string): readonly string[] {
  const value = valueIn(outline, field);
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/**
 * Where a setting stands in a configuration, or would stand: in a document, if Talos reads that.
 *
 * @param path key path in the machine configuration proper
 */
export function placeOf(outline: ConfigDocument, path: readonly string[]): readonly string[] {
  return locate(path, outline)?.place ?? path;
}
