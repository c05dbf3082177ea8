import { freeze, isFrozen } from "./immutable";

interface Known<Made> {
  readonly made: Made;
  readonly by: readonly unknown[];
}

/**
 * Memoises a pure function over frozen values, so that parts that a role's machines share are
 * computed once. A result lives as long as its value, and is frozen too.
 */
export class MadeOnce<Made> {
  private readonly known = new WeakMap<object, Known<Made>>();

  /**
   * The memoised result for a value. For a value that isn't frozen, it is computed each time.
   *
   * @param by further arguments of the function
   */
  get(value: unknown, by: readonly unknown[], make: () => Made): Made {
    if (typeof value !== "object" || value === null || !isFrozen(value)) {
      return make();
    }
    const known = this.known.get(value);
    if (known?.by.every((each, index) => each === by[index])) {
      return known.made;
    }
    const made = freeze(make());
    this.known.set(value, { made, by });
    return made;
  }
}
