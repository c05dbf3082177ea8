import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isMapping } from "../base/mapping";
import { UNKNOWN } from "../base/unknown";

/** Properties of a resource by name, as plain values. */
export type Properties = Record<string, unknown>;

/** The key of the marks of values in Pulumi's protocols and states. Source: pulumi v3.230.0, sdk/nodejs/runtime/rpc.ts. */
export const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** The plain properties in a message, without the marks of secrets and outputs. */
export function propertiesOf(message: Struct | undefined): Properties {
  const plain = message === undefined ? {} : withoutMarks(message.toJavaScript());
  return isMapping(plain) ? plain : {};
}

/** A value without the marks that say "this is secret" or "this is an output". */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutMarks);
  }
  if (!isMapping(value)) {
    return value;
  }
  if (isMarked(value)) {
    // An output without a value is unknown.
    const unknown = value[SIGNATURE_KEY] === OUTPUT_SIGNATURE ? UNKNOWN : null;
    return withoutMarks(value.value ?? unknown);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]),
  );
}

/** Whether a value in a message has a mark that says "this is secret" or "this is an output". Its own value is `value`. */
export function isMarked(value: Properties): boolean {
  return [SECRET_SIGNATURE, OUTPUT_SIGNATURE].includes(value[SIGNATURE_KEY] as string);
}

/** Names of the properties that are secret, or have something secret inside. */
export function secretNames(message: Struct | undefined): ReadonlySet<string> {
  const entries = Object.entries(message?.toJavaScript() ?? {});
  return new Set(entries.filter(([, value]) => holdsSecret(value)).map(([name]) => name));
}

/** The plain values of the named properties that are secret, or are marked as secret inside. */
export function secretValues(
  message: Struct | undefined,
  isWanted: (name: string) => boolean,
): readonly unknown[] {
  const entries = Object.entries(message?.toJavaScript() ?? {});
  return entries.flatMap(([name, value]) => (isWanted(name) ? secretsInside(value) : []));
}

function secretsInside(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap(secretsInside);
  }
  if (!isMapping(value)) {
    return [];
  }
  return isSecretMark(value) ? [withoutMarks(value)] : Object.values(value).flatMap(secretsInside);
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.some(holdsSecret);
  }
  return isMapping(value) && (isSecretMark(value) || Object.values(value).some(holdsSecret));
}

/** Whether it marks a secret, or an output that is one. */
function isSecretMark(value: Properties): boolean {
  const signature = value[SIGNATURE_KEY];
  return (
    signature === SECRET_SIGNATURE || (signature === OUTPUT_SIGNATURE && value.secret === true)
  );
}

/**
 * Properties as a message.
 *
 * @param isSecret which of them the engine encrypts in the state. Default: none; the engine itself
 *   marks those whose input of the same name is secret
 */
export function messageOf(
  properties: Properties,
  isSecret: (name: string) => boolean = () => false,
): Struct {
  const entries = Object.entries(properties).flatMap(([name, value]) => {
    const plain = withoutUndefined(value);
    return plain === undefined
      ? []
      : [[name, isSecret(name) && plain !== null ? secret(plain) : plain] as const];
  });
  return Struct.fromJavaScript(Object.fromEntries(entries));
}

function secret(value: unknown): Properties {
  return { [SIGNATURE_KEY]: SECRET_SIGNATURE, value };
}

/** A message has no place for what is undefined. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutUndefined(item) ?? null);
  }
  if (!isMapping(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const plain = withoutUndefined(inner);
      return plain === undefined ? [] : [[key, plain] as const];
    }),
  );
}
