import { withoutUserinfo } from "../config/secrets/secretUrl";

/**
 * Characters that a terminal or a report would not print but obey: control characters except tabs and ends of lines, and those
 * that turn the direction of the text. Source: Unicode 16, general category Cc; UAX #9, explicit formatting and marks.
 */
const OBEYED = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of a machine or an API server as a terminal may show it: what it would obey is written out, for example `\u001b`.
 */
export function printable(text: string): string {
  return text.replace(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Values that came from a machine or an API server, with each text in them `printable`, keys too. Bytes stay.
 *
 * @param kept the key of texts that stay, because a program reads them. Default: none
 */
export function printableValue<Value>(value: Value, kept?: string): Value {
  // The shape stays: only texts change.
  return written(value, kept) as Value;
}

/** A text for people, whoever wrote it: `printable`, and without user names and passwords in addresses. */
export function presentable(text: string): string {
  return withoutUserinfo(printable(text));
}

/** An error whose message a terminal may show. It is the same error: callers know it by its class. */
export function printableError(error: unknown): unknown {
  if (error instanceof Error) {
    error.message = presentable(error.message);
  }
  return error;
}

function written(value: unknown, kept: string | undefined): unknown {
  if (typeof value === "string") {
    return printable(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => written(item, kept));
  }
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      printable(key),
      key === kept ? item : written(item, kept),
    ]),
  );
}
