import { freeze, isFrozen } from "./immutable";

interface Known<Made> {
  readonly made: Made;
  readonly by: readonly unknown[];
}

/**
 * What one pure function made of frozen values: of what the machines of a role have in common it is made
 * once, as long as somebody has that. What is made is frozen too.
 */
export class MadeOnce<Made> {
  private readonly known = new WeakMap<object, Known<Made>>();

  /**
   * What is known of a value, or else is made of it now; of one that isn't frozen it is always made.
   *
   * @param by what else it depends on
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
