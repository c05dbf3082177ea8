import * as pulumi from "@pulumi/pulumi";
import { isUnknown, UNKNOWN } from "../provider/base";
import { COMPLETE, isKnown, valueOf } from "../provider/engine";
import type { Properties } from "../provider/rpc";
import type { AnyKind } from "./kinds";

/** The inputs of a handler, and which of them are secret. */
export interface CompleteInputs {
  readonly inputs: Properties;
  readonly secrets: ReadonlySet<string>;
}

/**
 * The inputs of a handler from the arguments of a program, by the same steps as in a program in
 * TypeScript: defaults, files, parts of other resources' outputs. Inputs that such a program has
 * completed stay unchanged.
 */
export async function completeInputs(kind: AnyKind, given: Properties): Promise<CompleteInputs> {
  const { [COMPLETE]: isComplete, ...args } = given;
  if (isComplete === true) {
    return { inputs: args, secrets: new Set() };
  }
  const lifted = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, isUnknownItself(value) ? unknown : value]),
  );
  // The schema gives the arguments the types that the kind expects, and its own checks follow.
  const completed = Object.entries(kind.inputsOf(lifted as never));
  const entries = await Promise.all(
    completed.map(async ([name, value]) => [name, await resolve(value)] as const),
  );
  const isSecret = await Promise.all(completed.map(async ([, value]) => hasSecret(value)));
  return {
    inputs: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    secrets: new Set(completed.filter((_, index) => isSecret[index]).map(([name]) => name)),
  };
}

const unknown = pulumi.output(pulumi.unknown);

/** Only the value as a whole: what is unknown inside another value stays as it is. */
function isUnknownItself(value: unknown): boolean {
  return typeof value === "string" && isUnknown(value);
}

/** The plain value, in which the protocol's texts stand for what is unknown. Outputs may be at any depth. */
async function resolve(input: unknown): Promise<unknown> {
  if (pulumi.Output.isInstance(input)) {
    return (await isKnown(input)) ? valueOf(input, true) : UNKNOWN;
  }
  if (Array.isArray(input)) {
    return Promise.all(input.map(resolve));
  }
  return isPlain(input)
    ? Object.fromEntries(
        await Promise.all(
          Object.entries(input).map(async ([name, value]) => [name, await resolve(value)] as const),
        ),
      )
    : input;
}

async function hasSecret(input: unknown): Promise<boolean> {
  if (pulumi.Output.isInstance(input)) {
    return pulumi.isSecret(input);
  }
  const parts = Array.isArray(input) ? input : isPlain(input) ? Object.values(input) : [];
  const found = await Promise.all(parts.map(hasSecret));
  return found.includes(true);
}

/** Whether it is an object of properties, and no value of its own such as a promise or an asset. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
