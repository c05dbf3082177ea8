import { isPlainValue } from "./plainValue";
import { isReference, isSecretMark, type SecretMark } from "./secretMark";
import { isSecretName } from "./secretName";
import { looksRandom } from "./secretShape";

/** An address with a scheme, up to a blank or a quote. */
export const URL_PATTERN = /(?<![\w+.-])[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>|\\]*/gi;

/** Parameters whose value is no credential. */
const PLAIN_PARAMETERS: ReadonlySet<string> = new Set([
  ...["region", "version", "v", "arch", "platform", "format", "ref", "branch", "timeout"],
  ...["sslmode", "insecure", "awssdk", "service", "scope", "encoding", "raw"],
  ...["x-amz-algorithm", "x-amz-date", "x-amz-expires", "x-amz-signedheaders"],
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
