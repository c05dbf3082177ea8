import { type ConfigDocument, scalarsBeside, type YamlValue } from "../machineConfig";
import { redactDocuments } from "./redact";
import { secretMarker } from "./secretMark";
import { redactText } from "./secretText";

/** Shorter texts occur everywhere, so replacing them would only garble a message. */
const SHORTEST = 6;

/** Shorter lines of a file occur everywhere too. */
const SHORTEST_LINE = 16;

/**
 * Makes texts from a machine safe to show: a log, or an error of Talos. Every secret of the
 * machine's configuration is replaced, also decoded from base64, and line by line. So is everything
 * else that looks like a secret (`redactText`).
 *
 * @param documents the machine's configuration. Secret
 */
export function secretRemover(documents: readonly ConfigDocument[]): (text: string) => string {
  const redacted = redactDocuments(documents);
  const found = documents.flatMap((document, index) => changedTexts(document, redacted[index]));
  // The longest first: a shorter one may be a part of it.
  const secrets = [...new Set(found.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (text) =>
    redactText(secrets.reduce((rest, secret) => rest.replaceAll(secret, secretMarker), text));
}

/** The texts and numbers that a redaction has replaced. */
function changedTexts(value: YamlValue, redacted: YamlValue | undefined): string[] {
  return scalarsBeside(value, redacted).flatMap(([before, after]) =>
    before === after || before === null ? [] : [String(before)],
  );
}

/** The forms in which a secret may occur: as it is, decoded, its lines, and within JSON. */
function formsOf(secret: string): string[] {
  const isBase64 = /^[A-Za-z0-9+/\s]{16,}={0,2}\s*$/.test(secret);
  const decoded = isBase64 ? Buffer.from(secret, "base64").toString("utf8") : "";
  const texts = [secret, decoded];
  const lines = texts.flatMap((text) =>
    text.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE),
  );
  return [...texts, ...lines]
    .flatMap((text) => [text.trim(), JSON.stringify(text.trim()).slice(1, -1)])
    .filter((text) => text.length >= SHORTEST);
}
