import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Request } from "./oracle";
import { OracleProcess } from "./oracleProcess";
import type { OracleMinor } from "./talosCode";

/** The oracles in a folder that `npm run conformance` builds; each starts when it is first asked. */
export class OracleProcesses {
  private readonly started = new Map<OracleMinor, OracleProcess>();

  constructor(private readonly folder: string) {}

  /**
   * Asks the code of a minor.
   *
   * @throws Error when there is none, or its process has ended
   */
  async ask(minor: OracleMinor, request: Request): Promise<Answer<unknown>> {
    return this.process(minor).ask(request);
  }

  /** Ends all processes. */
  close(): void {
    this.started.forEach((process) => process.close());
  }

  private process(minor: OracleMinor): OracleProcess {
    const running = this.started.get(minor);
    if (running !== undefined) {
      return running;
    }
    const program = join(this.folder, minor);
    if (!existsSync(program)) {
      throw new Error(
        `TALOS_ORACLES: ${program} is not there; npm run conformance builds it, and without TALOS_ORACLES recorded answers are taken`,
      );
    }
    const process = new OracleProcess(program);
    this.started.set(minor, process);
    return process;
  }
}
