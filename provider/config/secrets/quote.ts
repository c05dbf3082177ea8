import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { addressWithoutUserinfo } from "./secretUrl";

const MAX_LENGTH = 80;

/** A value for a message: short texts in quotes, containers by their type. Redact secrets first. */
export function quoteValue(value: YamlValue | undefined): string {
  if (value === undefined || value === null) {
    return "nothing";
  }
  if (Array.isArray(value)) {
    return "a list";
  }
  if (isMapping(value)) {
    return "a mapping";
  }
  if (typeof value !== "string") {
    return String(value);
  }
  return value.startsWith("«secret") ? value : JSON.stringify(shorten(value));
}

function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

/** The value at a path; undefined without one. */
export function valueAt(value: YamlValue | undefined, path: Path): YamlValue | undefined {
  return path.reduce<YamlValue | undefined>((here, step) => {
    if (typeof step === "number") {
      return Array.isArray(here) ? here[step] : undefined;
    }
    return isMapping(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }, value);
}

/** A quoted URL for a message, without its user name and password. */
export function quoteUrl(url: string): string {
  return JSON.stringify(addressWithoutUserinfo(url));
}
