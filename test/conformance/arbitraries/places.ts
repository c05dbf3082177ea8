import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../../provider/config/machineConfig";
import type { Path } from "../../../provider/config/path";

/** Where something is in a document, and what. */
export interface Place {
  readonly path: Path;
  readonly value: YamlValue;
}

/** Every place in a document but the document itself, outer ones first. */
export function placesOf(document: ConfigDocument): readonly Place[] {
  return inside(document, []);
}

function inside(value: YamlValue, path: Path): Place[] {
  const children: (readonly [string | number, YamlValue])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isMapping(value)
      ? Object.entries(value)
      : [];
  return children.flatMap(([step, child]) => [
    { path: [...path, step], value: child },
    ...inside(child, [...path, step]),
  ]);
}

/** A copy of a document with something else at a place. */
export function withValueAt(value: YamlValue, path: Path, replacement: YamlValue): YamlValue {
  const [step, ...rest] = path;
  if (step === undefined) {
    return replacement;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === step ? withValueAt(item, rest, replacement) : item,
    );
  }
  const mapping = isMapping(value) ? value : {};
  return { ...mapping, [step]: withValueAt(mapping[step] ?? {}, rest, replacement) };
}
