/** Those that were frozen here, with all that is in them. */
const frozen = new WeakSet<object>();

/**
 * Freezes a value and all that is in it, for good. What is made of it need be made only once: see
 * `MadeOnce`. A text or a number is as it is.
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
