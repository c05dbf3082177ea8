import {
  type ConfigDocument,
  decodeDocuments,
  hiddenValues,
  isMapping,
  manifestInputs,
  mapMembers,
  type MarkedValues,
  plainOutline,
  shortenedTexts,
  withheldHash,
  type YamlValue,
} from "../../provider/config";
import { plaintextOf } from "../stateSecret";

/** The input of a resource with the outline of its configuration. */
export const OUTLINE = "redactedConfiguration";
/** The property with the configuration itself. */
export const CONFIGURATION = "machineConfiguration";
const HASHES: readonly string[] = ["machineConfigurationHash", "configurationHash"];

/** A resource of a state. */
export type Recorded = Readonly<Record<string, unknown>>;

/** What stands for texts that follow from secrets, in a state without these. */
export interface Substitutes {
  /** The outline of a resource, without marks that tell secrets apart. */
  readonly outline: (outline: ConfigDocument) => ConfigDocument;
  /** Hashes of configurations and of manifests, each with what stands for it. Several resources have the same. */
  readonly hashes: ReadonlyMap<string, string>;
  /** What a program marked as secret in configurations. */
  readonly marked: MarkedValues;
}

/** The substitutes of a whole state. */
export function substitutesOf(resources: readonly Recorded[]): Substitutes {
  const outlines = resources.flatMap((resource) => {
    const given = outlineOf(resource);
    return given === undefined ? [] : [{ resource, given }];
  });
  const texts = new Map(outlines.flatMap(({ given }) => shortenedTexts(given)));
  const outline = (given: ConfigDocument) => plainOutline(withSubstitutes(given, texts));
  const hashes = outlines.flatMap(({ resource, given }) => {
    const plain = outline(given);
    return [...hashesOf(resource, plain), ...manifestsOf(given, plain)];
  });
  const marked = outlines.flatMap(({ resource, given }) => {
    const text = configurationOf(resource);
    return text === undefined ? [] : hiddenValues(decodeDocuments(text), given);
  });
  return { outline, hashes: new Map(hashes), marked };
}

/** The outline of a resource's configuration; undefined without one. */
export function outlineOf(resource: Recorded): ConfigDocument | undefined {
  const [input, output] = propertiesOf(resource).map((properties) =>
    outlineIn(properties[OUTLINE]),
  );
  return input ?? output;
}

/** An outline, which older releases have as a text. */
export function outlineIn(outline: unknown): ConfigDocument | undefined {
  const isText = typeof outline === "string" && outline.startsWith("{");
  const value = (isText ? JSON.parse(outline) : outline) as YamlValue | undefined;
  return isMapping(value) ? value : undefined;
}

function propertiesOf({ inputs, outputs }: Recorded): readonly Recorded[] {
  return [inputs, outputs].map((properties) => (properties ?? {}) as Recorded);
}

/** The text of a role's configuration. A machine's isn't recorded. */
function configurationOf(resource: Recorded): string | undefined {
  const [text] = propertiesOf(resource)
    .map(({ [CONFIGURATION]: value }) => JSON.parse(plaintextOf(value) ?? '""') as unknown)
    .filter((found) => typeof found === "string" && found !== "");
  return text as string | undefined;
}

function hashesOf(resource: Recorded, plain: ConfigDocument): [string, string][] {
  const withheld = withheldHash(plain);
  return propertiesOf(resource).flatMap((properties) =>
    HASHES.flatMap((name): [string, string][] => {
      const { [name]: hash } = properties;
      return typeof hash === "string" && hash !== "" ? [[hash, withheld]] : [];
    }),
  );
}

/** What `KubernetesManifests` records of the manifests of an outline. */
function manifestsOf(outline: ConfigDocument, plain: ConfigDocument): [string, string][] {
  const after = manifestInputs(plain);
  return Object.entries(manifestInputs(outline)).flatMap(([path, before]): [string, string][] => {
    const { [path]: substitute = before } = after;
    return substitute === before ? [] : [[before, substitute]];
  });
}

function withSubstitutes(
  value: ConfigDocument,
  texts: ReadonlyMap<string, string>,
): ConfigDocument {
  const change = (item: YamlValue): YamlValue => {
    if (Array.isArray(item)) {
      return item.map(change);
    }
    return isMapping(item)
      ? mapMembers(item, change)
      : typeof item === "string"
        ? (texts.get(item) ?? item)
        : item;
  };
  return mapMembers(value, change);
}
