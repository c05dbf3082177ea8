import {
  type ConfigDocument,
  isMapping,
  mapMembers,
  mapScalars,
  type YamlScalar,
  type YamlValue,
} from "../machineConfig";
import { isPlainValue, isPlainVariable } from "./plainValue";
import { isShown } from "./secretLines";
import { isSecretMark, isSwitch, type SecretMark } from "./secretMark";
import { isSecretName } from "./secretName";

/** How the values of a tree are redacted. */
export interface TreeRedaction {
  readonly mark: SecretMark;
  /** A text by the name of its key. */
  readonly leaf: (name: string, value: string) => string;
  /** Whether all variables are secret that aren't known to be harmless. Default: by their names. */
  readonly closedVariables?: boolean;
  /** The same of arguments. Default: by their names. */
  readonly closedArguments?: boolean;
}

/**
 * Free content without secrets: objects of Kubernetes, configurations of its components, and whatever
 * a text holds. Keys decide which values are secret, also if the name of a value is a value beside it.
 * Mappings and lists keep their keys and items.
 */
export function redactTree(value: YamlValue, redaction: TreeRedaction): YamlValue {
  return redactAt("", value, redaction);
}

function redactAt(key: string, value: YamlValue, redaction: TreeRedaction): YamlValue {
  if (Array.isArray(value)) {
    return redactItems(key, value, redaction);
  }
  if (isMapping(value)) {
    return redactMembers(key, value, redaction);
  }
  if (typeof value === "string") {
    return redaction.leaf(key, value);
  }
  return typeof value === "number" && isSecretName(key) ? redaction.mark(String(value)) : value;
}

/** Lists of arguments: of a container, of a credential provider, of a user's command in a kubeconfig. */
const ARGUMENT_LISTS = /^(?:args|arguments|command|entrypoint|cmd|extraArgs)$/i;

/** Variables of containers, of a container runtime, and of Helm's charts. */
const VARIABLES = /^(?:\w*env|\w*[eE]nvironment|\w*[vV]ariables|envVars)$/;

/** Headers can hold any credential. */
const HEADERS = /headers?$/i;

function redactItems(
  key: string,
  items: readonly YamlValue[],
  redaction: TreeRedaction,
): YamlValue[] {
  const texts = items.filter((item) => typeof item === "string");
  if (ARGUMENT_LISTS.test(key) && texts.length === items.length) {
    return redactArguments(texts, redaction);
  }
  if (HEADERS.test(key)) {
    return items.map((item) => redactHeader(item, redaction.mark));
  }
  if (VARIABLES.test(key)) {
    return items.map((item) =>
      typeof item === "string"
        ? redactVariableText(item, redaction)
        : isMapping(item)
          ? redactPair(item, redaction, (name, value) => redactVariable(name, value, redaction))
          : redactAt(key, item, redaction),
    );
  }
  return items.map((item) => redactAt(key, item, redaction));
}

/** Keys under which a mapping has a name, and a value of that name. */
const NAME_KEYS = ["name", "key", "variable", "header", "parameter", "field"];
const VALUE_KEYS = ["value", "val", "values", "content", "contents", "default", "defaultValue"];

function redactMembers(key: string, mapping: ConfigDocument, redaction: TreeRedaction): YamlValue {
  if (mapping.kind === "CustomResourceDefinition") {
    return withoutNames(mapping, redaction);
  }
  if (HEADERS.test(key)) {
    return hideAll(mapping, redaction.mark);
  }
  if (VARIABLES.test(key)) {
    return mapMembers(mapping, (child, name) =>
      typeof child === "string"
        ? redactVariable(name, child, redaction)
        : redactAt(name, child, redaction),
    );
  }
  if (isSecretHolder(key)) {
    return mapScalars(mapping, (value, name) => redactHeld(name, value, redaction));
  }
  const isSecretObject = mapping.kind === "Secret";
  return redactPair(mapping, redaction, undefined, isSecretObject);
}

/**
 * The members of a mapping. One that is the value of a name beside it is redacted by that name.
 *
 * @param variable redacts such a value. Default: by the name
 */
function redactPair(
  mapping: ConfigDocument,
  redaction: TreeRedaction,
  variable?: (name: string, value: string) => string,
  isSecretObject = false,
): YamlValue {
  const names = NAME_KEYS.flatMap((key) => {
    const name = mapping[key];
    return typeof name === "string" ? [name] : [];
  });
  const secretName = names.find(isSecretName);
  const [name = ""] = names;
  return mapMembers(mapping, (child, key) => {
    if (key === "stringData" || (isSecretObject && key === "data")) {
      return hideAll(child, redaction.mark);
    }
    const isNamed = names.length > 0 && VALUE_KEYS.includes(key);
    if (isNamed && variable !== undefined && typeof child === "string") {
      return variable(secretName ?? name, child);
    }
    return redactAt(
      isNamed ? (secretName ?? (isSecretName(key) ? key : name)) : key,
      child,
      redaction,
    );
  });
}

/** A schema has fields with such names, and no values. */
function withoutNames(mapping: ConfigDocument, { leaf }: TreeRedaction): YamlValue {
  return mapScalars(mapping, (value, key) =>
    typeof value === "string" && key !== "description" ? leaf("", value) : value,
  );
}

/** Mappings that hold credentials: `auth`, `tokens`, `credentials`. */
function isSecretHolder(key: string): boolean {
  return /(?:auths?|passwords?|secrets|tokens|credentials?)$/i.test(key);
}

/** Keys of such mappings that say where a secret is, or what it is for. */
const ABOUT_SECRET =
  /^(?:name|secretName|key|path|namespace|optional|mode|audience|kind|apiVersion|apiGroup|group|type|url|endpoint|host|server|realm|scope|issuer|enabled|description|provider|method|region|clientID|clientId|client_id|user|username|email)$/;

function redactHeld(key: string, value: YamlScalar, redaction: TreeRedaction): YamlValue {
  const text = value === null ? "" : String(value);
  if (ABOUT_SECRET.test(key) || (isPlainValue(text) && !isSecretName(key))) {
    return typeof value === "string" ? redaction.leaf(key, value) : value;
  }
  return hideAll(value, redaction.mark);
}

/** Hides all values that aren't empty, and no keys: headers have names. */
export function hideAll(value: YamlValue, mark: SecretMark): YamlValue {
  return mapScalars(value, (scalar) => {
    const text = String(scalar ?? "");
    return text === "" || isSecretMark(text) ? scalar : mark(text);
  });
}

/** A header as a text, or as a mapping with a name and a value. */
function redactHeader(item: YamlValue, mark: SecretMark): YamlValue {
  if (typeof item === "string") {
    const colon = item.indexOf(":");
    const start = item.slice(0, colon + 1);
    const value = item.slice(colon + 1).trim();
    return value === "" || isSecretMark(value)
      ? item
      : `${start}${colon === -1 ? "" : " "}${mark(value)}`;
  }
  return isMapping(item)
    ? mapMembers(item, (child, key) => (NAME_KEYS.includes(key) ? child : hideAll(child, mark)))
    : item;
}

/** A variable as `NAME=value`. A text without a sign is a name, or a secret. */
export function redactVariableText(text: string, redaction: TreeRedaction): string {
  const equals = text.indexOf("=");
  if (equals === -1) {
    return /^[A-Z_][A-Z0-9_]{0,60}$/.test(text) || isShown(text) ? text : redaction.mark(text);
  }
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  return `${name}=${redactVariable(name, value, redaction)}`;
}

/** The value of a variable. */
export function redactVariable(name: string, value: string, redaction: TreeRedaction): string {
  const { closedVariables = false, leaf, mark } = redaction;
  if (isShown(value)) {
    return value;
  }
  if (isSecretName(name)) {
    return mark(value);
  }
  if (!closedVariables || isPlainVariable(name, value)) {
    return leaf(name, value);
  }
  return isPlainValue(value) ? value : mark(value);
}

/** Arguments: `--name=value`, `--name value`, and texts that may have such inside. */
export function redactArguments(items: readonly string[], redaction: TreeRedaction): string[] {
  const { closedArguments = false, leaf, mark } = redaction;
  return items.map((item, index) => {
    const before = items[index - 1] ?? "";
    const flag = /^--?([A-Za-z][\w.-]*)$/.exec(before)?.[1];
    const [, start = "", name = "", value = ""] = /^(-{0,2}([\w.-]+)=)([^]*)$/.exec(item) ?? [];
    if (start !== "") {
      return `${start}${redactArgument(name, value, redaction)}`;
    }
    if (flag !== undefined && !item.startsWith("-")) {
      return isLoginFlag(flag) && item.includes(":") && !isSecretMark(item)
        ? mark(item)
        : redactArgument(flag, item, redaction);
    }
    const isPlain = item.startsWith("-") || PLAIN_ARGUMENTS.has(item) || isShown(item);
    return closedArguments && !isPlain && !isPlainValue(item) ? mark(item) : leaf("", item);
  });
}

/** Flags that take a user's name and password, as of curl. */
function isLoginFlag(flag: string): boolean {
  return ["u", "user", "proxy-user"].includes(flag);
}

/** Arguments of Kubernetes' credential providers. */
const PLAIN_ARGUMENTS: ReadonlySet<string> = new Set(["get-credentials", "get", "v1"]);

/** Their flags with a word as value. */
const PLAIN_FLAGS: ReadonlySet<string> = new Set(["authn-method", "region", "log-level"]);

function redactArgument(name: string, value: string, redaction: TreeRedaction): string {
  const { closedArguments = false, leaf, mark } = redaction;
  const isKnown = !closedArguments || PLAIN_FLAGS.has(name) || isPlainValue(value);
  return isKnown || isShown(value) || isSwitch(value) ? leaf(name, value) : mark(value);
}
