/** When EC2 takes the output of a console, after the instance was started or stopped. At AWS it takes minutes. */
const TAKEN_AFTER_MS = 2_000;

/** What EC2 has taken of an instance's console. */
export class InstanceConsole {
  private lastTaken: Buffer = Buffer.alloc(0);
  private timer: NodeJS.Timeout | undefined;

  /** @param read returns what the machine has printed. What fails is taken as nothing new. */
  constructor(private readonly read: () => Promise<Buffer>) {}

  /** What EC2 shows: of now, or what it took last. */
  async shown(isLive: boolean): Promise<Buffer> {
    return isLive ? this.read() : this.lastTaken;
  }

  /** The instance was started or stopped. */
  takeSoon(): void {
    this.end();
    this.timer = setTimeout(() => {
      this.read().then(
        (output) => {
          this.lastTaken = Buffer.from(output);
        },
        () => undefined,
      );
    }, TAKEN_AFTER_MS);
    this.timer.unref();
  }

  /** Ends what still waits. */
  end(): void {
    clearTimeout(this.timer);
  }
}
