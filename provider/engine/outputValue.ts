import type * as pulumi from "@pulumi/pulumi";

/** What outputs of every version of the SDK have and don't declare (@pulumi/pulumi 3.x, `output.ts`). */
interface ResolvableOutput {
  readonly isKnown: Promise<boolean>;
  readonly promise: (withUnknowns?: boolean) => Promise<unknown>;
}

/** Whether a preview knows an output. */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return resolvable(output).isKnown;
}

/**
 * The value of a known output, whether it is secret or not.
 *
 * @param withUnknowns whether the protocol's texts stand for what is unknown inside. Default: it is left out
 */
export async function valueOf(
  output: pulumi.Output<unknown>,
  withUnknowns?: boolean,
): Promise<unknown> {
  return resolvable(output).promise(withUnknowns);
}

function resolvable(output: pulumi.Output<unknown>): ResolvableOutput {
  return output as unknown as ResolvableOutput;
}
