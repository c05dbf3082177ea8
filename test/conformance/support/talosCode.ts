import type fc from "fast-check";
import { talosSchemas } from "../../../provider/config/schema/talosSchemas";
import type { Answer, Request } from "./oracle";

export type OracleMinor = `v1.${number}`;

/** Talos minors that there is an oracle for, oldest first. */
export const oracleMinors: readonly OracleMinor[] = [...talosSchemas.keys()].map(
  (minor) => `v1.${minor}` as const,
);

/** Inputs that are made at random. */
export interface RandomInputs<Input> {
  /** They are recorded under it. */
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<Input>;
  /** How many are recorded, and made anew where `variable` gives no other number. */
  readonly count: number;
  /** Of the environment: how many are made anew. */
  readonly variable: string;
  /** Among how many the variable's number is shared out, these being one. Default: 1. */
  readonly parts?: number;
}

/** Talos' own code, and inputs for it: both there and asked now, or both recorded. */
export interface TalosCode {
  /** Answers one request to the code of a minor. */
  ask(minor: OracleMinor, request: Request): Promise<Answer<unknown>>;
  /** Something that is another each time it is made, such as keys. */
  secretInput<Input>(name: string, make: () => Promise<Input>): Promise<Input>;
  /**
   * Checks each input.
   *
   * @returns how many there were
   * @throws what a check throws, with the input that it was about
   */
  eachInput<Input>(
    inputs: RandomInputs<Input>,
    check: (input: Input) => Promise<void>,
  ): Promise<number>;
  /** Called when all passed or not. */
  close(): void;
}
