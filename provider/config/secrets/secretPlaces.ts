import { isMapping, mapMembers, type YamlValue } from "../machineConfig";
import { isPlainFlag } from "./plainFlags";
import { isPlainTag } from "./plainValue";
import { isShown, redactLines } from "./secretLines";
import type { SecretMark } from "./secretMark";
import type { SecretPlace } from "./secretPlace";
import { redactNamedValue, redactText } from "./secretText";
import {
  redactArguments,
  redactTree,
  redactVariable,
  redactVariableText,
  type TreeRedaction,
} from "./secretTree";

/**
 * The content of a place without secrets. Mappings and lists keep their keys and items.
 *
 * @param key of the field, by which an unknown field is judged. Default: none
 */
export function redactPlace(
  place: SecretPlace,
  value: YamlValue,
  mark: SecretMark,
  key = "",
): YamlValue {
  const open = { mark, leaf: (name: string, text: string) => redactNamedValue(name, text, mark) };
  const closed = { ...open, closedVariables: true };
  switch (place) {
    case "variables":
      return named(
        value,
        (name, text) => redactVariable(name, text, closed),
        (text) => redactVariableText(text, closed),
      );
    case "tags":
      return named(
        value,
        (name, text) =>
          isPlainTag(name, text) ? redactLines(text, mark) : redactVariable(name, text, closed),
        mark,
      );
    case "flags":
      return redactFlags(value, mark);
    case "arguments":
      return texts(value, (items) => redactArguments(items, open));
    case "assignments":
      return named(value, open.leaf, (text) => redactAssignment(text, open));
    case "object":
      return redactTree(value, open);
    case "pod":
      return redactKeyed(key, value, closed);
    case "credentialProvider":
      return redactTree(value, { ...closed, closedArguments: true });
    case "manifest":
      return typeof value === "string" ? redactText(value, mark) : redactTree(value, open);
  }
}

/** The value of a field, whose key may say what it is. */
function redactKeyed(key: string, value: YamlValue, redaction: TreeRedaction): YamlValue {
  const redacted = redactTree({ [key]: value }, redaction);
  return isMapping(redacted) ? (redacted[key] ?? null) : null;
}

/** Values with names, in a mapping as pairs or in texts. */
function named(
  value: YamlValue,
  onPair: (name: string, value: string) => string,
  onText: (text: string) => string,
): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => (typeof item === "string" ? onText(item) : item));
  }
  if (isMapping(value)) {
    return mapMembers(value, (child, name) => changed(child, (text) => onPair(name, text)));
  }
  return typeof value === "string" ? onText(value) : value;
}

/** A text, also within lists. */
function changed(value: YamlValue, change: (text: string) => string): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => changed(item, change));
  }
  return typeof value === "string" || typeof value === "number" ? numbered(value, change) : value;
}

/** A number stays one if nothing of it is secret. */
function numbered(value: string | number, change: (text: string) => string): YamlValue {
  const text = String(value);
  const redacted = change(text);
  return redacted === text ? value : redacted;
}

function texts(value: YamlValue, change: (items: readonly string[]) => string[]): YamlValue {
  if (!Array.isArray(value)) {
    return typeof value === "string" ? (change([value])[0] ?? "") : value;
  }
  const items = value.filter((item) => typeof item === "string");
  return items.length === value.length ? change(items) : value;
}

/** `name=value`, in which the value is judged whole. */
function redactAssignment(text: string, { leaf }: TreeRedaction): string {
  const equals = text.indexOf("=");
  return equals === -1
    ? leaf("", text)
    : `${text.slice(0, equals + 1)}${leaf(text.slice(0, equals), text.slice(equals + 1))}`;
}

function redactFlags(value: YamlValue, mark: SecretMark): YamlValue {
  const flag = (name: string, text: string) =>
    isShown(text) || isPlainFlag(name, text) ? redactLines(text, mark) : mark(text);
  if (isMapping(value)) {
    return mapMembers(value, (child, name) => changed(child, (text) => flag(name, text)));
  }
  return texts(value, (items) =>
    items.map((item, index) => {
      const [, start, name = "", text = ""] = /^(--?([\w.-]+)=)([^]*)$/.exec(item) ?? [];
      if (start !== undefined) {
        return `${start}${flag(name, text)}`;
      }
      const before = items[index - 1] ?? "";
      return item.startsWith("-") ? item : flag(before.startsWith("-") ? before : "", item);
    }),
  );
}
