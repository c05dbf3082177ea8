/**
 * When EC2 takes the output of a console, after the instance was started or stopped. At AWS it takes minutes; the second
 * time is for machines on a busy computer.
 */
const TAKEN_AFTER_MS = [2_000, 20_000];

/** What EC2 has taken of an instance's console. */
export class InstanceConsole {
  private lastTaken: Buffer = Buffer.alloc(0);
  private timers: readonly NodeJS.Timeout[] = [];

  /** @param read returns what the machine has printed. What fails is taken as nothing new. */
  constructor(private readonly read: () => Promise<Buffer>) {}

  /** What EC2 shows: of now, or what it took last. */
  async shown(isLive: boolean): Promise<Buffer> {
    return isLive ? this.read() : this.lastTaken;
  }

  /** The instance was started or stopped. */
  takeSoon(): void {
    this.end();
    this.timers = TAKEN_AFTER_MS.map((delayMs) => setTimeout(() => this.take(), delayMs).unref());
  }

  /** Ends what still waits. */
  end(): void {
    this.timers.forEach(clearTimeout);
  }

  private take(): void {
    this.read().then(
      (output) => {
        this.lastTaken = Buffer.from(output);
      },
      () => undefined,
    );
  }
}
