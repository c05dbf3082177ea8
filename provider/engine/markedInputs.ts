import * as pulumi from "@pulumi/pulumi";
import type { MarkedValues } from "../config/secrets/markedValues";
import { isKnown, valueOf } from "./outputValue";

/** What an output or a promise was made of, if only some of that is a program's own. */
const sourcesOfOutputs = new WeakMap<object, readonly unknown[]>();

/**
 * Says what of a program is in an output. An output is secret as a whole if anything in it is, and
 * then nothing of it could be shown.
 */
export function madeOf<Made extends object>(made: Made, ...sources: readonly unknown[]): Made {
  sourcesOfOutputs.set(made, sources);
  return made;
}

/**
 * The values that a program marked as secret within inputs, at any depth. Only the program knows:
 * dynamic resources get plain values, and the engine marks whole inputs. Values that are not known yet
 * are left out, as they are not shown either. Secret.
 */
export function markedIn(inputs: unknown): pulumi.Output<MarkedValues> {
  return pulumi.secret(pulumi.output(secretsIn(inputs)));
}

async function secretsIn(input: unknown): Promise<readonly unknown[]> {
  const isObject = typeof input === "object" && input !== null;
  const sources = isObject ? sourcesOfOutputs.get(input) : undefined;
  if (sources !== undefined) {
    return secretsIn(sources);
  }
  if (pulumi.Output.isInstance(input)) {
    if (!(await isKnown(input))) {
      return [];
    }
    return (await pulumi.isSecret(input)) ? [await plain(input)] : secretsIn(await valueOf(input));
  }
  if (input instanceof Promise) {
    return secretsIn(await input);
  }
  if (!isObject) {
    return [];
  }
  const found = await Promise.all(Object.values(input).map(secretsIn));
  return found.flat();
}

/** A value without outputs inside. */
async function plain(value: pulumi.Output<unknown>): Promise<unknown> {
  return valueOf(pulumi.output(value));
}

/** The inputs of the configurations that these outputs belong to. */
const inputsOfOutputs = new WeakMap<object, unknown>();

/** Remembers the inputs of a configuration that a program passes on by this output. */
export function rememberInputs(output: object, inputs: unknown): void {
  inputsOfOutputs.set(output, inputs);
}

/** The inputs of a configuration, if one of these is an output of it: for `markedIn`. */
export function inputsBehind(...outputs: readonly unknown[]): unknown {
  return outputs
    .filter((output) => typeof output === "object" && output !== null)
    .map((output) => inputsOfOutputs.get(output))
    .find((inputs) => inputs !== undefined);
}
