/** What was made of the last few texts, for the many machines that have them in common. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>();

  /** @param limit how many texts are kept */
  constructor(private readonly limit: number) {}

  /** What is kept of a text, or else is made of it now. What `make` throws is not kept. */
  get(text: string, make: () => Value): Value {
    const known = this.values.get(text);
    if (known !== undefined) {
      // the one that was asked for last goes last
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
