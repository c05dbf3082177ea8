import { LruCache } from "../lruCache";
import { isShown, redactLines } from "./secretLines";
import { type SecretMark, tellNothing } from "./secretMark";
import { isSecretName } from "./secretName";
import { looksLikeKey, looksRandom, textInBase64 } from "./secretShape";
import { redactTree } from "./secretTree";
import { redactYaml } from "./secretYaml";

/** Texts within texts are looked into up to this depth: a JSON text in a manifest in a list. */
const DEEPEST = 4;

/** Shorter texts are redacted faster than they are found again. */
const SHORTEST_KEPT = 200;

/** As many inline manifests and files as a large cluster has. */
const KEPT_TEXTS = 64;

/**
 * Redacted texts by the way secrets are marked. Every configuration of a cluster has the same manifests,
 * and reading those is most of what a rendering takes.
 */
const redactedTexts = new WeakMap<SecretMark, LruCache<string>>();

/**
 * A text without parts that look like secrets: private keys, the content of Kubernetes Secrets,
 * values with secret-sounding names, credentials in URLs, tokens of known forms. YAML and JSON are
 * read, also within their texts. If the end of a secret is unclear, the whole text is replaced. This
 * is a heuristic: known secret places do not rely on it.
 *
 * @param mark gives the same mark for the same secret: results are kept
 */
export function redactText(text: string, mark: SecretMark = tellNothing, depth = 0): string {
  if (depth > 0 || text.length < SHORTEST_KEPT) {
    return redactAnew(text, mark, depth);
  }
  const known = redactedTexts.get(mark) ?? new LruCache<string>(KEPT_TEXTS);
  redactedTexts.set(mark, known);
  return known.get(text, () => redactAnew(text, mark, depth));
}

function redactAnew(text: string, mark: SecretMark, depth: number): string {
  if (depth >= DEEPEST) {
    return redactLines(text, mark);
  }
  const read = redactYaml(text, {
    tree: (value) => redactTree(value, { mark, leaf: leafAt(mark, depth + 1) }),
    comment: (comment) => redactLines(comment, mark),
  });
  return read ?? (hidesSecret(text, depth) ? mark(text) : redactLines(text, mark));
}

function leafAt(mark: SecretMark, depth: number) {
  return (name: string, value: string) => redactNamedValue(name, value, mark, depth);
}

/** Whether a text has something secret in base64, as in a ConfigMap's `binaryData`. */
function hidesSecret(text: string, depth: number): boolean {
  const inside = textInBase64(text, "utf8");
  return (
    inside !== undefined &&
    // Only text: other content of certificates and archives isn't looked into.
    !/[^\t\n\r -~]/.test(inside) &&
    redactText(inside, tellNothing, depth + 1) !== inside
  );
}

/** Names of fingerprints, which look like keys. */
const FINGERPRINT =
  /(?:checksum|hash|digest|sha\d*|revision|commit|uid|etag|fingerprint|schematic)/i;

/** A named value without secrets. Switches, references and paths are never secret. */
export function redactNamedValue(
  name: string,
  value: string,
  mark: SecretMark = tellNothing,
  depth = 0,
): string {
  if (isShown(value)) {
    return value;
  }
  const isKey = !FINGERPRINT.test(name) && looksLikeKey(value);
  return isSecretName(name) || looksRandom(value) || isKey
    ? mark(value)
    : redactText(value, mark, depth);
}
