import * as pulumi from "@pulumi/pulumi";
import { isKnown, valueOf } from "./outputValue";
import { digestOf, type IsMarkable, judgedIn, SEEN } from "./unseenValues";

/**
 * The input `SEEN` for inputs as they are registered. Secret, because a short text can be found by its
 * digest.
 */
export function seenIn(
  inputs: pulumi.Inputs,
  isMarkable: IsMarkable,
): pulumi.Output<readonly string[]> {
  const digests = digestsIn(judgedIn(inputs, isMarkable));
  return pulumi.secret(pulumi.output(digests.then((all) => [...new Set(all)])));
}

/**
 * Inputs that a transformation changed where its result can still be looked at. What it didn't mark
 * as secret counts as seen.
 *
 * @param before the inputs that the transformation got
 * @param after what it returned
 */
export function seenAgain(before: pulumi.Inputs, after: pulumi.Inputs): pulumi.Inputs {
  const { [SEEN]: seen } = before;
  if (seen === undefined) {
    return after;
  }
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name]);
  const open = Promise.all(changed.map(([, value]) => digestsIn(value, { ofSecrets: false })));
  const lists = pulumi.all([seen as pulumi.Input<readonly string[]>, open]);
  return {
    ...after,
    [SEEN]: pulumi.secret(lists.apply(([all, more]) => [...all, ...more.flat()])),
  };
}

/**
 * Digests of the texts and numbers within an input, as far as they are known.
 *
 * @param ofSecrets whether those of secret outputs are among them. Default: true
 */
async function digestsIn(
  input: unknown,
  options: { readonly ofSecrets?: boolean } = {},
): Promise<readonly string[]> {
  if (pulumi.Output.isInstance(input)) {
    const isLeftOut = options.ofSecrets === false && (await pulumi.isSecret(input));
    return isLeftOut || !(await isKnown(input)) ? [] : digestsIn(await valueOf(input), options);
  }
  if (input instanceof Promise) {
    return digestsIn(await input, options);
  }
  if (typeof input === "object" && input !== null) {
    const members = Object.values(input).map((member) => digestsIn(member, options));
    return (await Promise.all(members)).flat();
  }
  const digest = digestOf(input);
  return digest === undefined ? [] : [digest];
}
