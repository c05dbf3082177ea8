/** A private key in PEM. */
const PRIVATE_KEY_HEADER = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|AGE-SECRET-KEY-1/;

/**
 * Tokens of known forms: JSON web tokens, tokens of GitHub, GitLab, Slack, Stripe, Tailscale, Vault,
 * npm, PyPI, DigitalOcean, Google, SendGrid, Grafana and Docker, ids of AWS' access keys, bootstrap
 * tokens. Each form reads a place of the text once, so a long text takes linear time.
 */
const TOKEN =
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*){0,3}|\b(?:gh[a-z]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|[srp]k_(?:live|test)_\w{10,}|tskey-[\w-]{8,}|hvs\.[\w-]{16,}|npm_\w{20,}|pypi-[\w-]{16,}|do[opr]_v1_\w{20,}|AIza[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|glsa_\w{20,}|dckr_pat_[\w-]{16,}|(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}|[a-z0-9]{6}\.(?=[a-z]{0,15}\d)[a-z0-9]{16}\b)/g;

/** The text with a mark in place of each token of a known form. */
export function replaceTokens(text: string, mark: (token: string) => string): string {
  return text.replace(TOKEN, mark);
}

/** Whether a text contains a private key, also in base64. */
export function holdsPrivateKey(text: string): boolean {
  return (
    PRIVATE_KEY_HEADER.test(text) || PRIVATE_KEY_HEADER.test(textInBase64(text, "latin1") ?? "")
  );
}

/** The text that a value has in base64; undefined if it is no base64. */
export function textInBase64(text: string, encoding: "latin1" | "utf8"): string | undefined {
  const trimmed = text.trim();
  return trimmed.length >= 24 && /^[A-Za-z0-9+/\s]+={0,2}$/.test(trimmed)
    ? Buffer.from(trimmed, "base64").toString(encoding)
    : undefined;
}

/** One long word with a random mix of small letters, capitals and digits, and no certificate. */
export function looksRandom(text: string): boolean {
  const mixed = [/^[A-Za-z0-9+/_=-]{24,}$/, /[a-z]/, /[A-Z]/, /\d/].every((part) =>
    part.test(text),
  );
  if (!mixed || (textInBase64(text, "latin1") ?? "").startsWith("-----BEGIN CERT")) {
    return false;
  }
  const switches = [...text.matchAll(/(?=[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{2}[a-z])/g)];
  return switches.length >= text.length / 5;
}

/** A long hexadecimal number or a UUID. */
export function looksLikeKey(text: string): boolean {
  return /^(?:[0-9a-f]{32,}|[0-9A-F]{32,})$/.test(text);
}
