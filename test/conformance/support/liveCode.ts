import fc from "fast-check";
import type { Answer, Request } from "./oracle";
import { OracleProcesses } from "./oracleProcesses";
import { randomRuns } from "./randomRuns";
import type { OracleMinor, RandomInputs, TalosCode } from "./talosCode";

/** Talos' own code, asked now, about inputs that are made now. */
export class LiveCode implements TalosCode {
  private readonly processes: OracleProcesses;
  private readonly told = new Map<string, ReturnType<typeof randomRuns>>();

  /** @param folder that has the oracles */
  constructor(folder: string) {
    this.processes = new OracleProcesses(folder);
  }

  ask(minor: OracleMinor, request: Request): Promise<Answer<unknown>> {
    return this.processes.ask(minor, request);
  }

  secretInput<Input>(_name: string, make: () => Promise<Input>): Promise<Input> {
    return make();
  }

  async eachInput<Input>(
    { arbitrary, variable, count, parts = 1 }: RandomInputs<Input>,
    check: (input: Input) => Promise<void>,
  ): Promise<number> {
    const known = this.told.get(variable);
    const { runs, seed } = known ?? randomRuns(variable, count * parts);
    this.told.set(variable, { runs, seed });
    const numRuns = Math.ceil(runs / parts);
    await fc.assert(fc.asyncProperty(arbitrary, check), { seed, numRuns });
    return numRuns;
  }

  close(): void {
    this.processes.close();
  }
}
