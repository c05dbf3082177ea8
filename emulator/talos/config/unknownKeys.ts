import {
  type ConfigDocument,
  encodeDocuments,
  type Field,
  isMapping,
  type YamlValue,
} from "../../../provider/config";

/** The unknown keys of a document with their parents, as YAML; `undefined` if there are none. */
export function unknownKeys(document: ConfigDocument, field: Field): string | undefined {
  const unknown = unknownPart(document, field);
  return isMapping(unknown) ? encodeDocuments([unknown]) : undefined;
}

function unknownPart(value: YamlValue, field: Field): YamlValue | undefined {
  const { shape } = field;
  if (shape.kind === "list" && Array.isArray(value)) {
    const items = value
      .map((item) => unknownPart(item, shape.item))
      .filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (!isMapping(value) || (shape.kind !== "struct" && shape.kind !== "map")) {
    return undefined;
  }
  const unknown: ConfigDocument = {};
  for (const [key, child] of Object.entries(value)) {
    const member = shape.kind === "map" ? shape.value : shape.fields.get(key);
    const part = member ? unknownPart(child, member) : child;
    if (part !== undefined) {
      unknown[key] = part;
    }
  }
  return Object.keys(unknown).length > 0 ? unknown : undefined;
}
