import { referredType, type TypeSchema } from "./packageSchema";
import { KINDS } from "./valueKinds";

/** What a value has to be, after "it must be": its kind or the allowed words, and an example. */
export function expectation(schema: TypeSchema): string {
  const { enum: words } = referredType(schema);
  if (words !== undefined) {
    return `one of ${words.map(({ value }) => value).join(", ")}`;
  }
  const kinds = (schema.oneOf ?? [schema]).map(kindOf);
  const isPlain = schema.type === "boolean" || schema.secret === true;
  const example = isPlain ? undefined : exampleOf(schema);
  return `${kinds.join(", or ")}${example === undefined ? "" : `, as in ${example}`}`;
}

/** The kind, and that of what a list or a map holds. */
function kindOf({ type, items, additionalProperties: values }: TypeSchema): string {
  const { type: inner } = items ?? values ?? {};
  const held = inner === undefined ? undefined : PLURALS[inner];
  return type === undefined
    ? "a value"
    : `${KINDS[type]}${held === undefined ? "" : ` of ${held}`}`;
}

const PLURALS: Readonly<Record<string, string>> = {
  string: "texts",
  integer: "whole numbers",
  object: "mappings",
};

/** Stands for a value in an example. */
const SOMETHING = "…";

/** How deep a mapping is shown: what it holds, and what that holds. */
const DEPTH = 2;

/** An example as YAML: the doc comment's own, or one of the parts' examples. */
function exampleOf(schema: TypeSchema, depth: number = DEPTH): string | undefined {
  return toldExample(schema) ?? (depth > 0 ? madeExample(schema, depth - 1) : undefined);
}

function madeExample(schema: TypeSchema, depth: number): string | undefined {
  const { items, oneOf = [] } = schema;
  const { enum: words = [], properties = {}, required = [] } = referredType(schema);
  const word = schema.type === "boolean" ? "true" : words[0]?.value;
  if (word !== undefined) {
    return word;
  }
  if (items !== undefined) {
    const item = exampleOf(items, depth + 1);
    return item && `[${item}]`;
  }
  const choice = oneOf.find(({ type }) => type === "object");
  if (choice !== undefined) {
    return madeExample(choice, depth);
  }
  const examples = Object.entries(properties).map(
    ([name, member]) => [name, exampleOf(member, depth)] as const,
  );
  const needed = examples.filter(([name]) => required.includes(name));
  const [told = examples[0]] = examples.filter(([, example]) => example !== undefined);
  const shown = needed.length > 0 || told === undefined ? needed : [told];
  const members = shown.map(([name, example = SOMETHING]) => `${name}: ${example}`);
  return members.length === 0 ? undefined : `{${members.join(", ")}}`;
}

/** Where doc comments have an example, the best first. A default is one too. */
const EXAMPLES = [/for example (?:`([^`]+)`|(\d+))/, /such as `([^`]+)`/];
const DEFAULT = /Default: (?:`([^`]+)`|(\d+))/;

/** The example of a doc comment, if it has one of the value's kind. */
function toldExample({ type, description = "" }: TypeSchema): string | undefined {
  const textsAt = (place: RegExp) => place.exec(description)?.slice(1).filter(Boolean) ?? [];
  const examples = EXAMPLES.flatMap(textsAt);
  // The example of a list may be that of an item.
  const items = type === "array" ? examples.map((text) => `[${JSON.stringify(text)}]`) : [];
  const texts = [...examples, ...items, ...textsAt(DEFAULT)];
  const fitting = texts.find((text) => FORMS[type ?? ""]?.test(text));
  return type === "string" && fitting !== undefined ? JSON.stringify(fitting) : fitting;
}

/** What an example of each kind looks like. */
const FORMS: Readonly<Record<string, RegExp>> = {
  string: /^[^<>]+$/,
  integer: /^\d+$/,
  array: /^\[/,
  object: /^\{/,
};
