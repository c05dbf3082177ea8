import type { Answer, Ask, Request } from "../oracle";
import type { Recording, RecordedAnswer } from "./recording";
import { requestKey } from "./requestKey";
import { stableAnswer } from "./stableAnswer";

/** Notes what tests try out and what oracles answer. Secrets stay those of an older recording. */
export class Recorder {
  private readonly inputs = new Map<string, unknown>();
  private readonly answers = new Map<string, RecordedAnswer>();

  constructor(private readonly older: Recording | undefined) {}

  /** An input that is other each time it is made: the one recorded before, else a new one. */
  async secretInput<Input>(name: string, make: () => Promise<Input>): Promise<Input> {
    const known = this.older?.inputs.get(name);
    return this.input(name, known === undefined ? await make() : (known as Input));
  }

  /** An input, as it is when it is read again. */
  input<Input>(name: string, value: Input): Input {
    this.inputs.set(name, value);
    return JSON.parse(JSON.stringify(value)) as Input;
  }

  /** Asks, and notes the answer. */
  async ask(minor: string, request: Request, ask: Ask): Promise<Answer<unknown>> {
    const known = request.do === "secrets" ? this.olderAnswer(minor, request) : undefined;
    const answer = known ?? stableAnswer(request, await ask(request));
    this.answers.set(requestKey(minor, request), { minor, request, answer });
    return answer;
  }

  /** All that was noted so far. */
  recording(oracles: string): Recording {
    return { oracles, inputs: this.inputs, answers: [...this.answers.values()] };
  }

  private olderAnswer(minor: string, request: Request): Answer<unknown> | undefined {
    const key = requestKey(minor, request);
    return this.older?.answers.find(
      (recorded) =>
        recorded.request.do === request.do && requestKey(recorded.minor, recorded.request) === key,
    )?.answer;
  }
}
