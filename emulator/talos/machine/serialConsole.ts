import type { KernelLine } from "../runtime/logBook";

/** What EC2 keeps of a console, in bytes. Source: EC2's API reference, `GetConsoleOutput`. */
const KEPT_BYTES = 64 * 1024;

/** What EC2's firmware sends before a kernel's first line (EDK II, `TerminalDxe`): it clears a terminal. */
const FIRMWARE = "\u001b[2J\u001b[01;01H\u001b[=3h\u001b[0m\u001b[37m\u001b[40m";

/** A machine's serial console (`console=ttyS0`). It shows the logs of all kernels, also after a stop. */
export class SerialConsole {
  private text = Buffer.alloc(0);

  /** The last 64 KB. */
  get output(): Buffer {
    return this.text.subarray(-KEPT_BYTES);
  }

  /** A machine is switched on, and its firmware starts. */
  powerOn(): void {
    this.append(FIRMWARE);
  }

  /** Prints a line of a kernel as Linux does, with the time since its start. */
  print({ at, text }: KernelLine, kernelStartedAt: Date): void {
    const seconds = ((at.getTime() - kernelStartedAt.getTime()) / 1_000).toFixed(6);
    this.append(`[${seconds.padStart(12)}] ${text.replaceAll("\t", " ")}\r\n`);
  }

  private append(text: string): void {
    const longer = Buffer.concat([this.text, Buffer.from(text)]);
    this.text = longer.length > 2 * KEPT_BYTES ? longer.subarray(-KEPT_BYTES) : longer;
  }
}
