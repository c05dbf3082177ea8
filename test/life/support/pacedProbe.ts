/** What was heard of one thing that was asked over and over. */
export interface Heard {
  readonly answers: number;
  /** Answers that came only over another connection, as the first was cut. */
  readonly dialledAgain: number;
  /** The most connections that one answer took. */
  readonly mostDials: number;
  /** The longest that one answer took, other connections included. */
  readonly longestMs: number;
  readonly failures: readonly string[];
}

/** Connections that end with the server behind them, and those that it doesn't take yet. */
const CUT = /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|network socket disconnected/;

/** So often a client dials, a second and more. */
const MOST_DIALS = 50;
const PAUSE_MS = 20;

/**
 * Asks at a steady pace, whether the questions before are answered or not, until it is stopped. A question whose
 * connection is cut is asked again over another, for a second and more, and counted as that.
 */
export class PacedProbe {
  private readonly timer: NodeJS.Timeout;
  private readonly open = new Set<Promise<void>>();
  private readonly failures: string[] = [];
  private answers = 0;
  private dialledAgain = 0;
  private mostDials = 0;
  private longestMs = 0;

  /** @param ask rejects where there is no right answer */
  constructor(
    private readonly ask: () => Promise<unknown>,
    intervalMs = 100,
  ) {
    this.timer = setInterval(() => {
      const asked: Promise<void> = this.askOnce().finally(() => this.open.delete(asked));
      this.open.add(asked);
    }, intervalMs);
  }

  /** What it heard, once all questions are answered. */
  async stop(): Promise<Heard> {
    clearInterval(this.timer);
    await Promise.all(this.open);
    const { answers, dialledAgain, mostDials, longestMs, failures } = this;
    return { answers, dialledAgain, mostDials, longestMs, failures };
  }

  private async askOnce(): Promise<void> {
    const began = Date.now();
    for (let dials = 1; ; dials += 1) {
      try {
        await this.ask();
        this.answers += 1;
        this.dialledAgain += dials > 1 ? 1 : 0;
        this.mostDials = Math.max(this.mostDials, dials);
        this.longestMs = Math.max(this.longestMs, Date.now() - began);
        return;
      } catch (error) {
        if (!CUT.test(String(error)) || dials === MOST_DIALS) {
          this.failures.push(`after ${Date.now() - began} ms: ${String(error)}`);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}
