/** Values that this module froze, with all their parts. */
const frozen = new WeakSet<object>();

/**
 * Freezes a value and all its parts. Results over frozen values can be memoised: see `FrozenMemo`.
 * Scalars need no freezing.
 */
export function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !frozen.has(value)) {
    Object.values(value).forEach(freeze);
    frozen.add(Object.freeze(value));
  }
  return value;
}

/** Whether a value is a mapping or a list that was frozen by `freeze`. */
export function isFrozen(value: unknown): boolean {
  return typeof value === "object" && value !== null && frozen.has(value);
}
