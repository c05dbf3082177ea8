import { isPlainValue } from "./plainValue";
import { isReference, isSecretMark, type SecretMark } from "./secretMark";
import { isSecretName } from "./secretName";
import { looksRandom } from "./secretShape";

/** An address with a scheme, up to a blank or a quote. */
export const URL_PATTERN = /(?<![\w+.-])[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>|\\]*/gi;

/** Parameters whose value is no credential. */
const PLAIN_PARAMETERS: ReadonlySet<string> = new Set([
  "region",
  "version",
  "v",
  "arch",
  "platform",
  "format",
  "ref",
  "branch",
  "timeout",
  "sslmode",
  "insecure",
  "awssdk",
  "service",
  "scope",
  "encoding",
  "raw",
  "x-amz-algorithm",
  "x-amz-date",
  "x-amz-expires",
  "x-amz-signedheaders",
]);

/** Services whose addresses are a secret after the host's name. */
const SECRET_PATHS =
  /^(?:hooks\.slack\.com|(?:canary\.|ptb\.)?discord(?:app)?\.com|api\.telegram\.org|hooks\.zapier\.com|[\w.-]{1,100}\.webhook\.office\.com|outlook\.office(?:365)?\.com|chat\.googleapis\.com|hc-ping\.com|hooks\.[\w.-]{1,100})$/i;

/**
 * A URL without credentials: the userinfo, the values of the query and the fragment unless they are
 * known to be harmless, random parts of the path, and all of the path of a web hook.
 */
export function redactUrl(url: string, mark: SecretMark): string {
  const start = url.indexOf("://") + 3;
  const scheme = url.slice(0, start);
  const { userinfo, rest } = splitUserinfo(url.slice(start));
  const [, host = "", path = "", query, fragment] =
    /^([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  const hidden = (text: string) => (isSecretMark(text) ? text : mark(text));
  return [
    scheme,
    ...(userinfo === undefined ? [] : [userinfo === "" ? "" : hidden(userinfo), "@"]),
    host,
    redactPath(host, path, mark),
    ...(query === undefined ? [] : ["?", redactParameters(query, mark)]),
    ...(fragment === undefined ? [] : ["#", redactParameters(fragment, mark)]),
  ].join("");
}

/** What stands in a message for a user name and a password. */
const NOBODY = "…";

/** Words with a colon and an "@" that name nobody: images by their digest, AWS' and Pulumi's names, addresses of mail. */
const NAMES_NOBODY = /^(?:arn|urn|mailto|sha\d+):|@sha\d+:/i;

const LONGEST_SCHEME = 31;

/**
 * A text for a message, in which no address has a user name and a password, whether it has a scheme or not. The rest stays,
 * so that people know the address by it. It takes linear time.
 */
export function withoutUserinfo(text: string): string {
  if (!text.includes(":")) {
    return text;
  }
  const parts = text.split('"');
  const values = parts.map((part, index) => {
    const isQuoted = index > 0 && index < parts.length - 1;
    return isQuoted && part.includes("@") ? addressWithoutUserinfo(part) : part;
  });
  return values
    .join('"')
    .split(/([\s"'`<>|\\]+)/)
    .map(wordWithoutUserinfo)
    .join("");
}

/** A word can have several addresses, as in `a=https://…,b=https://…`. */
function wordWithoutUserinfo(word: string): string {
  const [first = "", ...others] = word.split("://");
  if (others.length === 0) {
    return ownedWord(first);
  }
  const pieces = others.map((rest, index) => {
    const before = index === 0 ? first : (others[index - 1] ?? "");
    const scheme = /[a-z][a-z0-9+.-]*$/i.exec(before.slice(-LONGEST_SCHEME))?.[0];
    const isCut = index < others.length - 1;
    return scheme === undefined
      ? `://${rest}`
      : withoutOwner(`${scheme}://${rest}`, isCut).slice(scheme.length);
  });
  return [first, ...pieces].join("");
}

/** Without a scheme: `user:password@host`. */
function ownedWord(word: string): string {
  const at = word.lastIndexOf("@");
  const colon = word.indexOf(":");
  if (colon === -1 || colon > at) {
    return word;
  }
  const start = Math.max(
    ...["(", "[", "{", "=", ",", "/"].map((sign) => word.lastIndexOf(sign, colon)),
  );
  const owned = word.slice(start + 1);
  return /^[\w.+%~-]+:/.test(owned) && !NAMES_NOBODY.test(owned)
    ? `${word.slice(0, start + 1)}${NOBODY}${word.slice(at)}`
    : word;
}

/**
 * The same of one value that is to be an address, whatever is in it: a password can have blanks and quotes, which end an
 * address in a text.
 */
export function addressWithoutUserinfo(value: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0] ?? "";
  if (scheme !== "") {
    return withoutOwner(value);
  }
  const at = value.lastIndexOf("@");
  const isOwned = at > 0 && /^(?:\/\/)?[^\s/@:]+:/.test(value) && !NAMES_NOBODY.test(value);
  return isOwned ? `${NOBODY}${value.slice(at)}` : value;
}

/** @param isCut whether another address follows, whose scheme is the end of this one */
function withoutOwner(url: string, isCut = false): string {
  const start = url.indexOf("://") + 3;
  const { userinfo, rest } = splitUserinfo(url.slice(start));
  if (userinfo !== undefined) {
    return `${url.slice(0, start)}${NOBODY}@${rest}`;
  }
  // The beginning of a password whose rest is beyond a quote or a blank.
  return isCut
    ? url
    : url.replace(/^([^:]+:\/\/[^/?#:[\]]*):(?!\d*(?:[/?#]|$))[^/?#]*/, `$1:${NOBODY}`);
}

/** A password with a slash makes the authority end too early. */
function splitUserinfo(text: string): { readonly userinfo?: string; readonly rest: string } {
  const authority = /^[^/?#]*/.exec(text)?.[0] ?? "";
  const inside = authority.lastIndexOf("@");
  const at = inside === -1 && /:(?!\d*$)/.test(authority) ? text.lastIndexOf("@") : inside;
  return at === -1 ? { rest: text } : { userinfo: text.slice(0, at), rest: text.slice(at + 1) };
}

function redactPath(host: string, path: string, mark: SecretMark): string {
  if (SECRET_PATHS.test(host.replace(/:\d+$/, "")) && path.length > 1) {
    const inside = path.slice(1);
    return `/${isSecretMark(inside) ? inside : mark(inside)}`;
  }
  return path
    .split("/")
    .map((segment) => (looksRandom(segment) ? mark(segment) : segment))
    .join("/");
}

function redactParameters(query: string, mark: SecretMark): string {
  return query
    .split("&")
    .map((parameter) => {
      const equals = parameter.indexOf("=");
      const name = parameter.slice(0, equals === -1 ? 0 : equals);
      const value = parameter.slice(equals + 1);
      const shown =
        value === "" ||
        isSecretMark(value) ||
        isReference(value) ||
        (!isSecretName(name) && (PLAIN_PARAMETERS.has(name.toLowerCase()) || isPlainValue(value)));
      return shown ? parameter : `${parameter.slice(0, equals + 1)}${mark(value)}`;
    })
    .join("&");
}
