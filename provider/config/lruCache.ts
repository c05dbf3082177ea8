/** A cache of results for the latest texts, which many machines share. */
export class LruCache<Value> {
  private readonly values = new Map<string, Value>();

  /** @param limit the maximum number of texts */
  constructor(private readonly limit: number) {}

  /** The cached result for a text; otherwise it is computed. Errors are not cached. */
  get(text: string, make: () => Value): Value {
    const known = this.values.get(text);
    if (known !== undefined) {
      // The most recently used entry is last.
      this.values.delete(text);
      this.values.set(text, known);
      return known;
    }
    const value = make();
    this.values.set(text, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.limit && oldest !== undefined) {
      this.values.delete(oldest);
    }
    return value;
  }
}
