import { looksRandom } from "./secretShape";

/** Longer numbers may be PINs, ids or telephone numbers. */
const NUMBER = /^-?\d{1,5}(?:\.\d{1,3})?%?$/;

const SWITCH = /^(?:true|false|yes|no|on|off|enabled?|disabled?|none|auto|default)$/i;

/** Durations and sizes: `1m30s`, `10Mi`, `500m`. */
const AMOUNT = /^(?:\d{1,9}(?:\.\d{1,6})?(?:ns|us|µs|ms|s|m|h|d|[kKMGTP]i?B?|B))+$/;

const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}|\/\d{1,2})?$|^[0-9a-f:]{2,39}(?:\/\d{1,3})?$/i;

/** A folder or a file. */
const PATH = /^(?:\/[\w.@-]{1,64}){1,12}\/?$/;

/** One of these, or a list of them. */
const shapes = [NUMBER, SWITCH, AMOUNT, PATH];

/**
 * Whether a value can't be a secret by its shape alone, if its name does not sound like one: empty,
 * a switch, a small number, a duration, a size, an IP address or range, a path, or a list of these.
 */
export function isPlainValue(value: string): boolean {
  return (
    value.length <= LONGEST &&
    value.split(",").every((part) => {
      const text = part.trim();
      return text === "" || (isPlainPart(text) && !looksRandom(text));
    })
  );
}

function isPlainPart(text: string): boolean {
  return shapes.some((shape) => shape.test(text)) || isAddress(text);
}

/** Hexadecimal digits without a colon or a dot are no address. */
function isAddress(text: string): boolean {
  return ADDRESS.test(text) && (text.includes(".") || text.split(":").length > 2);
}

const LONGEST = 500;

/** Variables that are documented to hold no credential, except in the userinfo of a URL. */
const PLAIN_VARIABLES: ReadonlySet<string> = new Set([
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "FTP_PROXY",
  "TZ",
  "LANG",
  "LC_ALL",
  "PATH",
  "HOME",
  "USER",
  "HOSTNAME",
  "NODE_NAME",
  "NODE_IP",
  "POD_NAME",
  "POD_NAMESPACE",
  "POD_IP",
  "KUBERNETES_SERVICE_HOST",
  "KUBERNETES_SERVICE_PORT",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "AWS_STS_REGIONAL_ENDPOINTS",
  "GODEBUG",
  "GOGC",
  "GOMAXPROCS",
  "GOMEMLIMIT",
  "GRPC_GO_LOG_SEVERITY_LEVEL",
  "GRPC_GO_LOG_VERBOSITY_LEVEL",
]);

/** Last words of variables whose value is one plain word: `LOG_LEVEL=debug`. */
const WORD_VARIABLE = /(?:^|_)(?:LEVEL|FORMAT|VERBOSITY|REGION|ZONE|NAMESPACE)$/;

const WORD = /^[a-z][a-z0-9-]{0,23}$/i;

/** Whether the value of a variable may be shown as what its name says. */
export function isPlainVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  return PLAIN_VARIABLES.has(upper) || (WORD_VARIABLE.test(upper) && WORD.test(value));
}

/** Tags that say where a machine is and what it does. */
const PLAIN_TAGS =
  /^(?:cluster|env|environment|stage|region|zone|site|datacenter|dc|host|hostname|node|machine|role|pool|team|owner|service|app|application|source|stream|index|dataset|tenant)(?:[-_]?(?:name|id))?$/i;

/** Whether the value of a tag may be shown as what its name says. */
export function isPlainTag(name: string, value: string): boolean {
  return PLAIN_TAGS.test(name) && /^[a-z][a-z0-9._-]{0,40}$/i.test(value) && !looksRandom(value);
}
