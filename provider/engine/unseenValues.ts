import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isUnknown } from "../base/unknown";

/**
 * The input with digests of the texts that a program gave, which handlers never see. Marks are read
 * where the program gives its arguments. What the engine or a transformation puts in their place
 * comes after that, so nobody knows whether it is secret.
 */
export const SEEN = "__seen";

/** Whether values of an argument that the program marked as secret are in `markedValues`. */
export type IsMarkable = (argument: string) => boolean;

type Properties = Readonly<Record<string, unknown>>;

/**
 * The parts of inputs that no program gave, each in its place: what a transformation added, or
 * `ignoreChanges` keeps from before.
 *
 * @param seen the input `SEEN`. Absent where the engine itself says what is secret
 */
export function unseenIn(
  inputs: Properties,
  seen: unknown,
  isMarkable: IsMarkable,
): readonly unknown[] {
  if (!Array.isArray(seen)) {
    return [];
  }
  const digests: ReadonlySet<unknown> = new Set(seen);
  return judgedIn(inputs, isMarkable)
    .map((value) => withoutSeen(value, digests))
    .filter((rest) => rest !== undefined);
}

/**
 * The inputs that can have something unseen. Left out are those that equal the recorded ones and of which
 * the recorded outline shows every text. So an option that `ignoreChanges` keeps doesn't change its look.
 *
 * @param recorded the inputs of the last update, with its outline
 */
export function withoutShown(inputs: Properties, recorded: Properties): Properties {
  const shown = JSON.stringify(recorded.redactedConfiguration ?? "");
  const isShown = (value: unknown): boolean =>
    typeof value === "object" && value !== null
      ? Object.values(value).every(isShown)
      : digestOf(value) === undefined || shown.includes(JSON.stringify(String(value)));
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([name, value]) => !(isDeepStrictEqual(value, recorded[name]) && isShown(value)),
    ),
  );
}

/**
 * The arguments in which anything may be. A text or number that is an argument itself, like the
 * cluster's name, is an input that the engine hides if it is secret, and this package plans by it.
 */
export function judgedIn(inputs: Properties, isMarkable: IsMarkable): readonly object[] {
  return Object.entries(inputs).flatMap(([name, value]) =>
    isMarkable(name) && name !== "markedValues" && typeof value === "object" && value !== null
      ? [value]
      : [],
  );
}

/** A text or number as `SEEN` has it; undefined for another value. */
export function digestOf(value: unknown): string | undefined {
  const isLeaf = (typeof value === "string" && value !== "") || typeof value === "number";
  return isLeaf
    ? createHash("sha256").update(String(value)).digest("base64url").slice(0, 22)
    : undefined;
}

/** A value without its seen texts; undefined if nothing is left. */
function withoutSeen(value: unknown, seen: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) {
    const rest = value.map((item) => withoutSeen(item, seen)).filter((item) => item !== undefined);
    return rest.length === 0 ? undefined : rest;
  }
  if (typeof value === "object" && value !== null) {
    const rest = Object.entries(value)
      .map(([key, member]) => [key, withoutSeen(member, seen)] as const)
      .filter(([, member]) => member !== undefined);
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  }
  const digest = digestOf(value);
  return digest === undefined || isUnknown(value) || seen.has(digest) ? undefined : value;
}
