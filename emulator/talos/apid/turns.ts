/**
 * Lets what many calls wait for begin a few at a time, with what there is to send and to receive in
 * between. All simulated machines have one processor: without turns the answer of the first of a hundred
 * that are called at once would leave after the work of the last, as it does from no real machine.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isRunning = false;

  /** @param size how many may begin at once: fewer are fairer, more take less time in all */
  constructor(private readonly size: number) {
    this.#left = size;
  }

  /** Resolves when it is the caller's turn, in the order in which it was asked for. */
  async take(): Promise<void> {
    if (!this.#isRunning) {
      this.#isRunning = true;
      setImmediate(() => this.#next());
    }
    if (this.#left > 0) {
      this.#left -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const turn = this.#waiting.splice(0, this.size);
    this.#left = this.size - turn.length;
    this.#isRunning = turn.length > 0;
    for (const begin of turn) begin();
    if (this.#isRunning) setImmediate(() => this.#next());
  }
}
