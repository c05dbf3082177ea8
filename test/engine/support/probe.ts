import { messageOfError } from "../../../provider/base/messageOfError";

/** Asks something over and over, one answer after the other, until it is stopped. */
export class Probe {
  private readonly failures: string[] = [];
  private answers = 0;
  private readonly end: Promise<void>;
  private isStopped = false;

  /**
   * @param ask rejects where there is no right answer
   * @param pauseMs how long it waits before it asks again
   */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly pauseMs = 100,
  ) {
    this.end = this.run();
  }

  /** What it heard, once the last question is answered. */
  async stop(): Promise<{ readonly answers: number; readonly failures: readonly string[] }> {
    this.isStopped = true;
    await this.end;
    return { answers: this.answers, failures: this.failures };
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.ask();
        this.answers += 1;
      } catch (error) {
        this.failures.push(messageOfError(error));
      }
      await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    }
  }
}
