/**
 * Runs a reconciliation after each reported change. Runs don't overlap: changes during a run lead to one
 * more run after it. A failed run is retried.
 */
export class Reconciler {
  private running: Promise<void> | undefined;
  private isDirty = false;
  private isStopped = false;
  private retry: NodeJS.Timeout | undefined;

  /**
   * @param run reconciles everything from scratch each time.
   * @param onError is called with the error of a failed run.
   * @param retryMs pause before a retry.
   */
  constructor(
    private readonly run: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    private readonly retryMs = 500,
  ) {}

  /** Reports a change. */
  changed(): void {
    this.isDirty = true;
    if (this.running === undefined && !this.isStopped) {
      this.running = this.runWhileDirty().finally(() => {
        this.running = undefined;
      });
    }
  }

  /** Resolves when all changes reported so far are reconciled. */
  async settled(): Promise<void> {
    while (this.running !== undefined) {
      await this.running;
    }
  }

  /** Stops reconciling. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.retry);
    await this.settled();
  }

  private takeDirt(): boolean {
    const isDirty = this.isDirty && !this.isStopped;
    this.isDirty = false;
    return isDirty;
  }

  private async runWhileDirty(): Promise<void> {
    while (this.takeDirt()) {
      try {
        await this.run();
      } catch (error) {
        if (!this.isStopped) {
          this.onError(error);
          this.retry = setTimeout(() => this.changed(), this.retryMs);
        }
      }
    }
  }
}
