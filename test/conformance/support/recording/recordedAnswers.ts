import type { Answer, Request } from "../oracle";
import { firstDifference } from "../textDifference";
import { recordCommand, type RecordedAnswer } from "./recording";
import { requestKey } from "./requestKey";

/** The answers of a recording, by request. */
export class RecordedAnswers {
  private readonly byKey: ReadonlyMap<string, RecordedAnswer>;

  constructor(private readonly all: readonly RecordedAnswer[]) {
    this.byKey = new Map(
      all.map((recorded) => [requestKey(recorded.minor, recorded.request), recorded]),
    );
  }

  /**
   * What the oracle of a Talos minor answered.
   *
   * @throws Error when that was not asked: with what is other in the request most like it, and the
   *   command that records anew
   */
  answerTo(minor: string, request: Request): Answer<unknown> {
    const recorded = this.byKey.get(requestKey(minor, request));
    if (recorded === undefined) {
      throw new Error(this.explainMissing(minor, request));
    }
    return recorded.answer;
  }

  private explainMissing(minor: string, request: Request): string {
    const action = String(request.do);
    const alike = this.all.filter(
      (recorded) => recorded.minor === minor && recorded.request.do === action,
    );
    const ours = textOf(request);
    const others = alike.map(({ request: other }) => textOf(other));
    const nearest = mostAlike(ours, others);
    return [
      `Not recorded: Talos ${minor} was not asked to ${action} this.`,
      ...(nearest === undefined
        ? []
        : [
            "It was asked for the following (theirs) where we now make another text (ours):",
            firstDifference(ours, nearest) ?? "  only the order of members is another",
          ]),
      `Where the change is meant, have Talos judge it, and record that: ${recordCommand}`,
    ].join("\n");
  }
}

/** A request in lines: the configuration that it has as it is, and the rest before it. */
function textOf({ config, ...rest }: Request): string {
  return `${JSON.stringify(rest, undefined, 1)}\n${typeof config === "string" ? config : ""}`;
}

/** The text that has the most lines in common with another. */
function mostAlike(text: string, others: readonly string[]): string | undefined {
  const lines = new Set(text.split("\n"));
  let most = -1;
  let found: string | undefined;
  for (const other of others) {
    const own = other.split("\n");
    const common = own.filter((line) => lines.has(line)).length - own.length / 2;
    if (common > most || found === undefined) {
      [most, found] = [common, other];
    }
  }
  return found;
}
