import type { ApiDescription, ApiField } from "./apiDescription";
import { type Changes, changesOf } from "./changes";

/** What differs between the API of two releases. */
export interface ApiChanges {
  /** By `machine.MachineService.Reboot`, with its messages. */
  readonly methods: Changes;
  /** By `machine.RebootRequest.mode`, with type and number; without those of messages that came or went. */
  readonly fields: Changes;
  /** By `machine.RebootRequest.Mode.DEFAULT`, with the number. */
  readonly words: Changes;
}

/** Compares the API of two releases. */
export function compareApi(before: ApiDescription, after: ApiDescription): ApiChanges {
  // Those of protobuf itself come with its library.
  const isOwn = (name: string) => !name.startsWith("google.");
  const inBoth = (name: string) => isOwn(name) && name in before.messages && name in after.messages;
  const isEnumInBoth = (name: string) => isOwn(name) && name in before.enums && name in after.enums;
  return {
    methods: changesOf(methodsOf(before), methodsOf(after)),
    fields: changesOf(fieldsOf(before, inBoth), fieldsOf(after, inBoth)),
    words: changesOf(wordsOf(before, isEnumInBoth), wordsOf(after, isEnumInBoth)),
  };
}

function methodsOf({ services }: ApiDescription): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services).flatMap(([service, { methods }]) =>
      Object.entries(methods).map(([name, method]) => {
        const stream = (isStream: boolean | undefined) => (isStream === true ? "stream " : "");
        const text = `${stream(method.clientStreaming)}${method.input} → ${stream(method.serverStreaming)}${method.output}`;
        return [`${service}.${name}`, text];
      }),
    ),
  );
}

function fieldsOf(
  { messages }: ApiDescription,
  isWanted: (message: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages)
      .filter(([message]) => isWanted(message))
      .flatMap(([message, { fields }]) =>
        fields.map((field) => [`${message}.${field.name}`, `${typeOf(field)} = ${field.number}`]),
      ),
  );
}

function typeOf({ type, messageType, enumType, map, repeated }: ApiField): string {
  const base =
    map === undefined ? (messageType ?? enumType ?? type) : `map<${map.key}, ${map.value}>`;
  return `${repeated === true ? "repeated " : ""}${base}`;
}

function wordsOf(
  { enums }: ApiDescription,
  isWanted: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(enums)
      .filter(([name]) => isWanted(name))
      .flatMap(([name, { values }]) =>
        Object.entries(values).map(([word, number]) => [`${name}.${word}`, String(number)]),
      ),
  );
}
