/**
 * Brings one thing in line with another whenever it is told that something changed: one run at a
 * time, and one more after it when more changed meanwhile. A run that fails is tried again.
 */
export class Reconciler {
  private running: Promise<void> | undefined;
  private isDirty = false;
  private isStopped = false;
  private retry: NodeJS.Timeout | undefined;

  /**
   * @param run does the work; it looks at everything anew each time.
   * @param onError hears of runs that failed.
   * @param retryMs pause before a failed run is tried again.
   */
  constructor(
    private readonly run: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    private readonly retryMs = 500,
  ) {}

  /** Something changed. */
  changed(): void {
    this.isDirty = true;
    if (this.running === undefined && !this.isStopped) {
      this.running = this.runWhileDirty().finally(() => {
        this.running = undefined;
      });
    }
  }

  /** Resolves once everything that changed until now has been looked at. */
  async settled(): Promise<void> {
    while (this.running !== undefined) {
      await this.running;
    }
  }

  /** Ends it: resolves when no run is going on, and none starts any more. */
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
