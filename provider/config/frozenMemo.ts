import { freeze, isFrozen } from "./immutable";

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
