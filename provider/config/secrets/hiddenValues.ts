import { documentsOfOutline } from "../effects/outline";
import { type ConfigDocument, documentId, scalarsBeside, type YamlValue } from "../machineConfig";
import { normalizeDocument } from "../schema/normalize";
import type { MarkedValues } from "./markedValues";
import { redactDocuments } from "./redact";
import { isSecretMark, withPlainMarks } from "./secretMark";

/**
 * The values of a configuration that its outline hides and that no rule would hide: a program has
 * marked them as secret. So who gets a configuration and its outline hides the same values.
 *
 * @param outline without shortened texts
 */
export function hiddenValues(
  documents: readonly ConfigDocument[],
  outline: ConfigDocument,
): MarkedValues {
  const normal = documents.map((document) => normalizeDocument(document));
  const ruled = redactDocuments(normal);
  const shown = new Map(
    documentsOfOutline(outline).map((document) => [documentId(document), document]),
  );
  const found = normal.flatMap((document, index) =>
    hiddenIn(document, ruled[index], shown.get(documentId(document))),
  );
  return [...new Set(found)];
}

function hiddenIn(
  document: ConfigDocument,
  ruled: ConfigDocument | undefined,
  shown: ConfigDocument | undefined,
): string[] {
  const byRules = scalarsBeside(document, ruled);
  return scalarsBeside(document, shown).flatMap(([value, part], index) =>
    value === null || typeof part !== "string" || isSame(part, byRules[index]?.[1])
      ? []
      : behindMarks(String(value), part),
  );
}

/** Whether a rule hides what an outline hides, also of one whose marks are plain. */
function isSame(shown: string, ruled: YamlValue | undefined): boolean {
  return (
    shown === ruled ||
    (typeof ruled === "string" && withPlainMarks(shown) === withPlainMarks(ruled))
  );
}

/** The parts of a text that marks stand for. */
function behindMarks(text: string, shown: string): string[] {
  if (isSecretMark(shown)) {
    return [text];
  }
  // A redacted manifest can have one separator more.
  const pieces = shown.replace(/^---\n(?=---\n)/gm, "").split(/«secret[^«»]{0,100}»/);
  const parts: string[] = [];
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const start = isLast && piece === "" ? text.length : text.indexOf(piece, from);
    if (start === -1) {
      return parts;
    }
    if (index > 0) {
      parts.push(text.slice(from, start));
    }
    from = start + piece.length;
  }
  return parts.filter((part) => part !== "");
}
