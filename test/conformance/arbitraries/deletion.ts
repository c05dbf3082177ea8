import fc from "fast-check";
import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../../provider/config/machineConfig";
import { type Place, placesOf } from "./places";

/**
 * A patch document that deletes something of one of these documents, most often something that is
 * there: a key, an item of a list, a document.
 */
export function deletionFrom(documents: readonly ConfigDocument[]): fc.Arbitrary<ConfigDocument> {
  return fc
    .tuple(
      fc.nat(),
      fc.nat(),
      fc.constantFrom("there", "there", "there", "there", "there", "misspelt", "document"),
      fc.boolean(),
    )
    .map(([which, where, how, more]) => {
      const document = documents[which % documents.length] ?? {};
      const isMain = document.kind === undefined;
      const places = placesOf(document).filter(({ path }) => !isIdentity(path));
      const place = places[where % Math.max(places.length, 1)];
      if ((how === "document" && (!isMain || where % 8 === 0)) || place === undefined) {
        return { ...identityOf(document), $patch: "delete" };
      }
      const deletion = nest(place, how === "misspelt");
      return {
        ...identityOf(document),
        ...(more ? sibling(document) : {}),
        ...deletion,
      };
    });
}

function isIdentity(path: Place["path"]): boolean {
  return path.length === 1 && ["apiVersion", "kind", "name", "version"].includes(String(path[0]));
}

function identityOf({ apiVersion, kind, name }: ConfigDocument): ConfigDocument {
  return Object.fromEntries(
    Object.entries({ apiVersion, kind, name }).filter(
      (entry): entry is [string, YamlValue] => entry[1] !== undefined,
    ),
  );
}

/** Something to merge beside the deletion. */
function sibling(document: ConfigDocument): ConfigDocument {
  return document.kind === undefined ? { debug: true } : {};
}

/** The mappings and lists that lead to a place, with a deletion of it at their end. */
function nest({ path, value }: Place, misspelt: boolean): ConfigDocument {
  const last = path.at(-1);
  const own: YamlValue =
    typeof last === "number" ? { ...chooserOf(value), $patch: "delete" } : { $patch: "delete" };
  const nested = path.reduceRight<YamlValue>((inner, step, index) => {
    const name = misspelt && index === path.length - 1 ? `${String(step)}x` : step;
    return typeof name === "number" ? [inner] : { [name]: inner };
  }, own);
  return isMapping(nested) ? nested : {};
}

/** The key and value that an item of a list is chosen by. */
function chooserOf(item: YamlValue): ConfigDocument {
  const entry = isMapping(item)
    ? Object.entries(item).find(([, value]) => typeof value !== "object")
    : undefined;
  return entry === undefined ? {} : { [entry[0]]: entry[1] };
}
