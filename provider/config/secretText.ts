import { LruCache } from "./lruCache";

/** The mark for a secret without a fingerprint. */
export const secretMarker = "«secret»";

/** Creates the mark for a secret: `secretMarker`, or one with a fingerprint. */
export type SecretMark = (secret: string) => string;

const tellNothing: SecretMark = () => secretMarker;

/** Whether a value is such a mark, and so can be shown. */
export function isSecretMark(value: string): boolean {
  return /^«secret[^«»]*»$/.test(value);
}

/** Words that make a name sound secret; many are joined with the word before. */
const SECRET_WORDS =
  /(?:passwords?|passwd|passphrases?|secrets?|tokens?|credentials?|apikeys?)\b|\b(?:pwd|psk|bearer|jwt|(?:api|access|private|encryption|signing|shared|preshared|master|account) keys?)\b|\b(?:authorization|auth|pass)$/;

/** Last words that make such a name harmless: it says where a secret is, or how to use one. */
const HARMLESS_END =
  /\b(?:files?|path|dir|directory|names?|namespace|ref|mode|type|kind|class|ttl|url|uri|endpoint|host|policy|version|size|length|enabled|disabled|timeout|seconds|expiration|duration|lifetime|id|issuer|config)$/;

/** Whether a name (`DB_PASSWORD`, `oidc-client-secret`, `apiKey`) sounds secret. */
export function isSecretName(name: string): boolean {
  return judged.get(name, () => soundsSecret(name));
}

/** Cached results for names, because the same fields occur on each machine. */
const judged = new LruCache<boolean>(1_000);

function soundsSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  return SECRET_WORDS.test(words) && !HARMLESS_END.test(words);
}

/** A named value without secrets. Booleans are never secret. */
export function redactNamedValue(name: string, value: string, mark = tellNothing): string {
  const secret = isSecretName(name) && value !== "" && !isSwitch(value) && !isSecretMark(value);
  return secret || looksRandom(value) ? mark(value) : redactText(value, mark);
}

/**
 * A text without parts that look like secrets: private keys, Kubernetes Secrets, values with
 * secret-sounding names, credentials in URLs, tokens of known forms. If the end of a secret is
 * unclear, the whole text is replaced. This is a heuristic: known secret fields do not rely on it.
 */
export function redactText(text: string, mark = tellNothing): string {
  if (!/[:=]/.test(text)) {
    // Such a text contains neither a named value nor a URL.
    return PRIVATE_KEY_HEADER.test(text) || hidesPrivateKey(text)
      ? mark(text)
      : text.replace(TOKEN_PATTERN, mark);
  }
  if (wholeTextPatterns.some((pattern) => pattern.test(text)) || hidesPrivateKey(text)) {
    return mark(text);
  }
  if ([...text.matchAll(BLOCK_PATTERN)].some(([, name = ""]) => isSecretName(name))) {
    return mark(text);
  }
  const redactAssignment = (whole: string, start: string, name: string, value: string) =>
    isSecretName(name) && !isSwitch(value) && !isSecretMark(value)
      ? `${start}${mark(value)}`
      : whole;
  return assignmentPatterns
    .reduce((rest, pattern) => rest.replace(pattern, redactAssignment), text)
    .replace(URL_PASSWORD_PATTERN, (whole, start: string, password: string) =>
      isSecretMark(password) ? whole : `${start}${mark(password)}@`,
    )
    .replace(TOKEN_PATTERN, mark);
}

const PRIVATE_KEY_HEADER = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;

/** A Kubernetes Secret, in YAML or JSON; a private key. */
const wholeTextPatterns = [
  /^[ \t]*(?:-[ \t]+)?["']?kind["']?\s*:\s*["']?Secret\b/m,
  /"kind"\s*:\s*"Secret"/,
  PRIVATE_KEY_HEADER,
];

/** A name whose value is a text block or a list on the following lines. */
const BLOCK_PATTERN =
  /^[ \t]*(?:-[ \t]+)?["']?([\w.-]+)["']?[ \t]*:[ \t]*(?:[|>][-+0-9]*[ \t]*$|\n\s*-[ \t]+[^\n:]+$)/gm;

/** The part before a value, the name in it, and the value. */
const assignmentPatterns = [
  /([?&]([^=&#\s?]{1,200})=)([^&#\s]+)/g,
  /((?:^|[\s,;{["'])([\w.-]+)["']?[ \t]*[:=][ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s,;}][^\n]*)/gm,
  /(\bname["']?[ \t]*:[ \t]*["']?([\w.-]+)["']?,?\s*["']?value["']?[ \t]*:[ \t]*)([^\n]+)/g,
];

const URL_PASSWORD_PATTERN = /(:\/\/[^\s/?#@:]*:)([^\s/?#@]+)@/g;

/** JSON web tokens, and tokens of GitHub, GitLab, Slack and Stripe. */
const TOKEN_PATTERN =
  /\b(?:eyJ[\w-]{8,}\.eyJ[\w-]*\.[\w-]*|gh[a-z]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|sk_live_\w{10,})/g;

function isSwitch(value: string): boolean {
  return /^["']?(?:true|false)["']?$/i.test(value.trim());
}

/** A private key in base64, as in Talos' and Kubernetes' files. */
function hidesPrivateKey(text: string): boolean {
  return (
    /^[A-Za-z0-9+/\s]{40,}={0,2}$/.test(text.trimEnd()) &&
    Buffer.from(text, "base64").toString("latin1").includes("PRIVATE KEY-----")
  );
}

/** One long word with a random mix of small letters, capitals and digits. */
function looksRandom(text: string): boolean {
  const mixed = [/^[A-Za-z0-9+/_=-]{24,}$/, /[a-z]/, /[A-Z]/, /\d/].every((part) =>
    part.test(text),
  );
  if (!mixed || Buffer.from(text, "base64").toString("latin1").startsWith("-----BEGIN CERT")) {
    return false;
  }
  const switches = [...text.matchAll(/(?=[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{2}[a-z])/g)];
  return switches.length >= text.length / 5;
}
