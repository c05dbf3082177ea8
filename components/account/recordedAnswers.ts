import { AsyncLocalStorage } from "node:async_hooks";

/** What a stack's state answers in a preview without an account, where only the account knows it. */
export interface RecordedAnswers {
  /** The image that a `MachineImage` of this name found, if it asks for the same again. */
  readonly imageId: (
    name: string,
    asked: { readonly talosVersion: string; readonly architecture: string },
  ) => string;
  /** The hosted zone that a `DnsRecord` of this name found, or the one of an id. */
  readonly hostedZone: (
    name: string,
    zoneId: string | undefined,
  ) => { readonly zoneId: string; readonly nameServers: string[] };
}

const current = new AsyncLocalStorage<RecordedAnswers>();

/** Runs a program whose components take these answers, and ask AWS for none of them. */
export function answeringFrom<Result>(answers: RecordedAnswers, program: () => Result): Result {
  return current.run(answers, program);
}

/** The answers of the program that runs; undefined if it asks AWS. */
export function recordedAnswers(): RecordedAnswers | undefined {
  return current.getStore();
}
