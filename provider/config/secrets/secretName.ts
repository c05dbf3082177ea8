import { LruCache } from "../lruCache";

/** Words that make a name sound secret; many are joined with the word before. */
const SECRET_WORDS =
  /(?:passwords?|passwd|passphrases?|passcodes?|secrets?|tokens?|credentials?|htpasswd|dockerconfigjson|dockercfg|mnemonic)\b|\b(?:pwd|pw|psk|otp|totp|bearer|jwt|creds?|cookies?|signature|sig|hmac|dsn|kubeconfig|connection string|community)\b|\b(?:authorization|auth|pass|pin|seed|webhook)$/;

/** A key, and the word that says which. */
const KEY = /(?:^| )([a-z0-9]+?) ?keys?(?: (?:data|ids?|value|base64|b64))?$/;

/** Kinds of keys that are names or public, and beginnings of words that only end in "key". */
const PLAIN_KEYS: ReadonlySet<string> = new Set([
  "public",
  "pub",
  "primary",
  "foreign",
  "sort",
  "partition",
  "routing",
  "group",
  "grouping",
  "topology",
  "label",
  "labels",
  "annotation",
  "annotations",
  "map",
  "object",
  "metric",
  "cache",
  "index",
  "field",
  "config",
  "configmap",
  "property",
  "column",
  "match",
  "tag",
  "kms",
  "taint",
  "toleration",
  "selector",
  "mon",
  "tur",
  "don",
  "hoc",
  "joc",
  "whis",
  "hot",
]);

/** Last words that make such a name harmless: it says where a secret is, or how to use one. */
const HARMLESS_END =
  /\b(?:files?|path|dir|directory|names?|namespace|ref|mode|type|kind|class|ttl|url|uri|endpoint|host|policy|version|size|length|enabled|disabled|timeout|seconds|expiration|duration|lifetime|id|issuer|config|audiences?|algorithms?|alg)$/;

/** An id or an address that is as good as a secret, or half of one. */
const SECRET_ID = /\b(?:(?:secret|role|token) ids?|webhook ur[il]s?)$/;

/** Longer texts are no names. */
const LONGEST_NAME = 300;

/** Whether a name (`DB_PASSWORD`, `oidc-client-secret`, `TS_AUTHKEY`, `tls.key`) sounds secret. */
export function isSecretName(name: string): boolean {
  return name.length <= LONGEST_NAME && judged.get(name, () => soundsSecret(name));
}

/** Cached results for names, because the same fields occur on each machine. */
const judged = new LruCache<boolean>(1_000);

function soundsSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  const [, key] = KEY.exec(words) ?? [];
  return (
    (key !== undefined && !PLAIN_KEYS.has(key)) ||
    SECRET_ID.test(words) ||
    (SECRET_WORDS.test(words) && !HARMLESS_END.test(words))
  );
}
