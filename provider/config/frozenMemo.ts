interface Memo<Result> {
  readonly result: Result;
  readonly args: readonly unknown[];
}

/**
 * Memoises a pure function over frozen values, so that parts that a role's machines share are computed once:
 * the last result for a value, which lives as long as that, and is frozen too. For other values, the function
 * computes each time.
 */
export function memoized<Value, Args extends readonly unknown[], Result>(
  compute: (value: Value, ...args: Args) => Result,
): (value: Value, ...args: Args) => Result {
  const memos = new WeakMap<object, Memo<Result>>();
  return (value, ...args) => {
    if (typeof value !== "object" || value === null || !isFrozen(value)) {
      return compute(value, ...args);
    }
    const memo = memos.get(value);
    if (memo?.args.every((each, index) => each === args[index])) {
      return memo.result;
    }
    const result = freeze(compute(value, ...args));
    memos.set(value, { result, args });
    return result;
  };
}

/** Values that this module froze, with all their parts. */
const frozen = new WeakSet<object>();

/**
 * Freezes a value and all its parts. Results over frozen values can be memoised: see `memoized`.
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
