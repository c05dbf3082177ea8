import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { oraclesFingerprint } from "../../../scripts/ensureOracles";
import type { Answer, Request } from "./oracle";
import { OracleProcesses } from "./oracleProcesses";
import { Recorder } from "./recording/recorder";
import { readRecording, recordingFile, writeRecording } from "./recording/recordingFiles";
import type { OracleMinor, RandomInputs, TalosCode } from "./talosCode";

/** Talos' own code, asked now, about inputs that are always the same; both are recorded. */
export class RecordingCode implements TalosCode {
  private readonly processes: OracleProcesses;
  private readonly recorder: Recorder;

  constructor(
    private readonly name: string,
    private readonly folders: { readonly oracles: string; readonly target: string },
  ) {
    this.processes = new OracleProcesses(folders.oracles);
    this.recorder = new Recorder(existsSync(recordingFile(name)) ? readRecording(name) : undefined);
  }

  ask(minor: OracleMinor, request: Request): Promise<Answer<unknown>> {
    return this.recorder.ask(minor, request, (asked) => this.processes.ask(minor, asked));
  }

  secretInput<Input>(name: string, make: () => Promise<Input>): Promise<Input> {
    return this.recorder.secretInput(name, make);
  }

  async eachInput<Input>(
    { name, arbitrary, count }: RandomInputs<Input>,
    check: (input: Input) => Promise<void>,
  ): Promise<number> {
    const sampled = fc.sample(arbitrary, { seed: seedOf(name), numRuns: count });
    const inputs = this.recorder.input(name, sampled);
    for (const input of inputs) {
      await check(input);
    }
    return count;
  }

  close(): void {
    this.processes.close();
    writeRecording(this.folders.target, this.name, this.recorder.recording(oraclesFingerprint()));
  }
}

/** Of each name another one, and always the same: the same sources make the same recording. */
function seedOf(name: string): number {
  return createHash("sha256").update(name).digest().readInt32BE();
}
