import { SerialConsole } from "./talos/machine/serialConsole";

/** When EC2 takes the output of a console, after the instance was started or stopped. At AWS it takes minutes. */
const TAKEN_AFTER_MS = 2_000;

/** The console of an instance, and what EC2 has taken of it. */
export class InstanceConsole {
  readonly console = new SerialConsole();
  private lastTaken = Buffer.alloc(0);
  private timer: NodeJS.Timeout | undefined;

  /** What EC2 shows without `Latest`. */
  get taken(): Buffer {
    return this.lastTaken;
  }

  /** The instance was started or stopped. */
  takeSoon(): void {
    this.end();
    this.timer = setTimeout(() => {
      this.lastTaken = Buffer.from(this.console.output);
    }, TAKEN_AFTER_MS);
    this.timer.unref();
  }

  /** Ends what still waits. */
  end(): void {
    clearTimeout(this.timer);
  }
}
