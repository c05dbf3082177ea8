/** The timers of one boot. All end with it, so none outlives its node. */
export class Timers {
  private readonly pending = new Map<NodeJS.Timeout, (() => void) | undefined>();
  private ended = false;

  /** Runs `action` once, unless the machine shuts down before. Returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void {
    return this.schedule(delayMs, action);
  }

  /** Resolves after the delay, or when the machine shuts down. */
  delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.schedule(delayMs, resolve, resolve));
  }

  /** Cancels pending timers, and refuses new ones. */
  end(): void {
    this.ended = true;
    for (const [timer, onEnd] of this.pending) {
      clearTimeout(timer);
      onEnd?.();
    }
    this.pending.clear();
  }

  private schedule(delayMs: number, action: () => void, onEnd?: () => void): () => void {
    if (this.ended) {
      onEnd?.();
      return () => undefined;
    }
    const timer = setTimeout(() => {
      this.pending.delete(timer);
      action();
    }, delayMs);
    this.pending.set(timer, onEnd);
    return () => {
      clearTimeout(timer);
      this.pending.delete(timer);
    };
  }
}
