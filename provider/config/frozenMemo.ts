interface Memo<Result> {
  readonly result: Result;
  readonly args: readonly unknown[];
}

/**
 * Memoises a pure function over frozen values, so that parts that a role's machines share are
 * computed once. A result lives as long as its value, and is frozen too.
 */
export class FrozenMemo<Result> {
  private readonly memos = new WeakMap<object, Memo<Result>>();

  /**
   * The memoised result for a value. For a value that isn't frozen, it is computed each time.
   *
   * @param args further arguments of the function
   */
  get(value: unknown, args: readonly unknown[], compute: () => Result): Result {
    if (typeof value !== "object" || value === null || !isFrozen(value)) {
      return compute();
    }
    const memo = this.memos.get(value);
    if (memo?.args.every((each, index) => each === args[index])) {
      return memo.result;
    }
    const result = freeze(compute());
    this.memos.set(value, { result, args });
    return result;
  }
}

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
