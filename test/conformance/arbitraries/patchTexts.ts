import fc from "fast-check";
import { stringify } from "yaml";
import { type ConfigDocument, documentId } from "../../../provider/config/machineConfig";
import type { ConfigSchema } from "../../../provider/config/schema/configSchema";
import { deletionFrom } from "./deletion";
import { jsonPatchOf } from "./jsonPatch";
import { withMistake } from "./mistake";
import { PatchDocuments } from "./patchDocument";

/**
 * Patches, as texts, of a configuration with these documents: some merge, some delete, some are
 * wrong, some are JSON patches, some have several documents.
 */
export function patchTexts(
  base: readonly ConfigDocument[],
  schema: ConfigSchema,
): fc.Arbitrary<readonly string[]> {
  const documents = new PatchDocuments(schema);
  const apart = fc.array(documents.any, { minLength: 1, maxLength: 3 });
  return fc
    .oneof({ weight: 2, arbitrary: apart }, { weight: 3, arbitrary: documents.alike })
    .chain((added) => {
      const [main = {}] = base;
      const text = (document: ConfigDocument, index: number) =>
        fc.oneof(
          { weight: 80, arbitrary: asText(document) },
          { weight: 10, arbitrary: withMistake(document).chain(asText) },
          {
            weight: 20,
            arbitrary: deletionFrom([...base, ...added.slice(0, index)]).chain(asText),
          },
          { weight: base.length === 1 ? 20 : 1, arbitrary: jsonPatchOf(main) },
        );
      return fc.tuple(fc.tuple(...added.map(text)), fc.nat({ max: 19 })).map(([texts, joined]) => {
        const ids = new Set(added.map(documentId));
        const canJoin = texts.every(isYaml) && (ids.size === added.length || joined === 0);
        return canJoin && joined < 10 ? [texts.join("---\n")] : texts;
      });
    });
}

function isYaml(text: string): boolean {
  return text.endsWith("\n");
}

/** YAML mostly, in blocks or in one line, else JSON. */
function asText(document: ConfigDocument): fc.Arbitrary<string> {
  return fc.constantFrom(
    stringify(document),
    stringify(document),
    stringify(document, { collectionStyle: "flow", lineWidth: 0 }),
    JSON.stringify(document),
  );
}
