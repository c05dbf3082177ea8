import { isDeepStrictEqual } from "node:util";
import {
  type ConfigDocument,
  ConfigError,
  type ConfigSchema,
  contentOf,
  type Difference,
  encodeDocuments,
  isMapping,
  patchesOf,
  redactDocuments,
  type YamlValue,
} from "../../provider/config";
import { isProperties } from "../properties";

export interface KeptPatch {
  /** YAML or JSON. */
  readonly text: string;
  /** Whether it has a value that must not be in a program. */
  readonly isSecret: boolean;
  /** What it keeps that arguments and patches of people don't say; undefined for theirs. */
  readonly keeps?: readonly string[];
}

export function writtenPatch(text: string, schema: ConfigSchema): KeptPatch {
  return { text, isSecret: hasSecret(text, schema) };
}

/** Patches that make up for differences, to be applied one after the other. */
export function keepingPatches(
  differences: readonly Difference[],
  schema: ConfigSchema,
): readonly KeptPatch[] {
  const keeps = differences.map(placeOf);
  return patchesOf(differences).map((documents) => {
    const text = encodeDocuments(documents, schema);
    return { text, isSecret: hasSecret(text, schema), keeps };
  });
}

/** Where a difference is: `machine.install.image`, `HostnameConfig: auto`. */
export function placeOf({ document: { kind, name }, path }: Difference): string {
  const at = path.join(".");
  if (typeof kind !== "string") {
    return at;
  }
  const id = typeof name === "string" ? `${kind}/${name}` : kind;
  return at === "" ? id : `${id}: ${at}`;
}

/** Whether a patch has a value where configurations have secrets. One that can't be read counts too. */
function hasSecret(text: string, schema: ConfigSchema): boolean {
  try {
    const content = contentOf(text, schema);
    const documents = Array.isArray(content) ? content.flatMap(asDocument) : content.documents;
    return !isDeepStrictEqual(redactDocuments(documents), [...documents]);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    return true;
  }
}

/** An operation of a JSON patch as the document that it would make of nothing. */
function asDocument(operation: unknown): readonly ConfigDocument[] {
  if (!isProperties(operation) || typeof operation.path !== "string") {
    return [];
  }
  const keys = operation.path.split("/").slice(1);
  const value = (operation.value ?? null) as YamlValue;
  const made = keys.reduceRight<YamlValue>(
    (inner, key) => (/^(?:-|\d+)$/.test(key) ? [inner] : { [key]: inner }),
    value,
  );
  return isMapping(made) ? [made] : [];
}
