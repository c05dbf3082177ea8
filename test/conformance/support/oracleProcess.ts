import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Answer, Request } from "./oracle";

/** A process that runs the code of one Talos release (see `oracle/main.go`). */
export class OracleProcess {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting: ((line: string | undefined) => void)[] = [];

  constructor(program: string) {
    this.process = spawn(program);
    this.process.stderr.pipe(process.stderr);
    createInterface(this.process.stdout).on("line", (line) => this.waiting.shift()?.(line));
    const giveUp = () => this.waiting.splice(0).forEach((answer) => answer(undefined));
    this.process.once("close", giveUp);
    this.process.once("error", giveUp);
  }

  /**
   * Asks, after what was asked before.
   *
   * @throws Error when the process has ended
   */
  async ask(request: Request): Promise<Answer<unknown>> {
    const line = await new Promise<string | undefined>((resolve) => {
      if (this.process.exitCode !== null || this.process.killed) {
        resolve(undefined);
        return;
      }
      this.waiting.push(resolve);
      this.process.stdin.write(`${JSON.stringify(request)}\n`);
    });
    if (line === undefined) {
      throw new Error("the oracle has ended: see what it wrote above");
    }
    return JSON.parse(line) as Answer<unknown>;
  }

  /** Ends the process. */
  close(): void {
    this.process.kill();
  }
}
