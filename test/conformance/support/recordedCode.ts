import { messageOfError } from "../../../provider/base/messageOfError";
import type { Answer, Request } from "./oracle";
import { RecordedAnswers } from "./recording/recordedAnswers";
import { type Recording, recordCommand } from "./recording/recording";
import type { OracleMinor, RandomInputs, TalosCode } from "./talosCode";

/** What Talos' own code answered when it was recorded, about the inputs of then. */
export class RecordedCode implements TalosCode {
  private read: { recording: Recording; answers: RecordedAnswers } | undefined;

  /** @param load reads the recording, when it is first asked */
  constructor(private readonly load: () => Recording) {}

  ask(minor: OracleMinor, request: Request): Promise<Answer<unknown>> {
    return new Promise((resolve) => {
      resolve(this.recorded.answers.answerTo(minor, request));
    });
  }

  secretInput<Input>(name: string): Promise<Input> {
    return new Promise((resolve) => {
      resolve(this.input(name) as Input);
    });
  }

  async eachInput<Input>(
    { name, count }: RandomInputs<Input>,
    check: (input: Input) => Promise<void>,
  ): Promise<number> {
    const inputs = this.input(name) as readonly Input[];
    if (inputs.length !== count) {
      throw new Error(
        `${count} of ${name} are to be recorded, and ${inputs.length} are; record anew: ${recordCommand}`,
      );
    }
    const failures: string[] = [];
    for (const [index, input] of inputs.entries()) {
      // Checks of recorded answers wait for nothing: whoever else has work here gets a turn.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await check(input);
      } catch (error) {
        failures.push(explainFailure(index, input, error));
      }
    }
    if (failures.length > 0) {
      throw new Error(
        `${failures.length} of ${count} recorded inputs (${name}) fail, the first:\n${failures[0] ?? ""}`,
      );
    }
    return inputs.length;
  }

  close(): void {
    this.read = undefined;
  }

  private get recorded() {
    if (this.read === undefined) {
      const recording = this.load();
      this.read = { recording, answers: new RecordedAnswers(recording.answers) };
    }
    return this.read;
  }

  private input(name: string): unknown {
    const { inputs } = this.recorded.recording;
    if (!inputs.has(name)) {
      throw new Error(`Not recorded: ${name}; record anew: ${recordCommand}`);
    }
    return inputs.get(name);
  }
}

function explainFailure(index: number, input: unknown, error: unknown): string {
  const message = messageOfError(error);
  return `${message}\nInput ${index + 1}: ${JSON.stringify(input, undefined, 1)}`;
}
