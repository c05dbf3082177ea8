/** The last lines of something that writes without end. */
export class LineLog<Line> {
  readonly #capacity: number;
  readonly #listeners = new Set<(line: Line) => void>();
  #lines: Line[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a line; the oldest one is forgotten when there are too many. */
  append(line: Line): void {
    this.#lines.push(line);
    if (this.#lines.length > 2 * this.#capacity) this.#lines = this.#lines.slice(-this.#capacity);
    for (const listener of [...this.#listeners]) listener(line);
  }

  /** The last lines, oldest first: all that are kept, or at most `count`. */
  tail(count = this.#capacity): readonly Line[] {
    return count <= 0 ? [] : this.#lines.slice(-Math.min(count, this.#capacity));
  }

  /** Calls the listener with each line from now on until the returned function is called. */
  subscribe(listener: (line: Line) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
