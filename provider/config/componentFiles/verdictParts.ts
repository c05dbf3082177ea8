import { isMapping, mapMembers, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { type DecodeError, wordsOfDecoding } from "./decodeErrors";
import { aggregate, type FieldError, wordsOfField } from "./fieldErrors";
import type { StartError } from "./schedulerStart";

/** A file without the kind that its reader expects. */
export interface KindError {
  readonly kind: "kind";
  readonly path: Path;
  /** `apiVersion kind`, each. */
  readonly expected: readonly string[];
  readonly words: string;
}

/** What nothing reads. */
export interface Unread {
  readonly path: Path;
  readonly reason: string;
}

/** What is wrong with a file. */
export type FileFault = DecodeError | FieldError | StartError | KindError;

/** What becomes of a file. */
export interface Verdict {
  /** What Talos can't convert, so that it writes none of the component's files. */
  readonly unwritable: readonly DecodeError[];
  /** Why the component doesn't start. */
  readonly refused: readonly FileFault[];
  readonly unread: readonly Unread[];
  /** What the component prints when it ends; undefined if it starts. */
  readonly words: string | undefined;
}

/** What becomes of a file with which nothing is wrong. */
export const FINE: Verdict = { unwritable: [], refused: [], unread: [], words: undefined };

/** The fields among errors that a type doesn't have. */
export function unknownIn(errors: readonly DecodeError[]) {
  return errors.filter(({ kind }) => kind === "unknown");
}

/** A field that Talos leaves out. */
export function droppedBy(talosMinor: number, path: Path): Unread {
  return { path, reason: `Talos v1.${talosMinor} doesn't know it` };
}

/** A decoder ends with the first value of another type. */
export function typeWords(errors: readonly DecodeError[]): string | undefined {
  const wrong = errors.find(({ kind }) => kind === "type");
  return wrong === undefined ? undefined : wordsOfDecoding(wrong);
}

/** What a strict decoder prints about unknown fields. */
export function strictWords(messages: readonly string[]): string | undefined {
  return messages.length === 0 ? undefined : `strict decoding error: ${messages.join(", ")}`;
}

/** What a component prints about refused values. */
export function fieldWords(errors: readonly FieldError[]): string | undefined {
  return errors.length === 0 ? undefined : aggregate(errors.map(wordsOfField));
}

/** A content without some of its fields. */
export function without(content: YamlValue, fields: readonly DecodeError[]): YamlValue {
  return fields.reduce<YamlValue>((rest, { path }) => leaveOut(rest, path), content);
}

function leaveOut(value: YamlValue, [step, ...path]: Path): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item: YamlValue, index) => (index === step ? leaveOut(item, path) : item));
  }
  return isMapping(value)
    ? mapMembers(value, (member, key): YamlValue | undefined =>
        key !== step ? member : path.length === 0 ? undefined : leaveOut(member, path),
      )
    : value;
}
