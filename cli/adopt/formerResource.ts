import { CommandFailure } from "../commandFailure";
import { type Properties, text } from "../properties";

/** What the state of another tool records of one resource. Its attributes contain secrets. */
export interface FormerResource {
  /** What the tool calls it: `talos_machine_secrets.this`, or a URN. */
  readonly address: string;
  /** Its type as Terraform's provider names it: `talos_machine_configuration_apply`. */
  readonly type: string;
  /** The name and key in its address, which say what it is for: `worker`, `worker-2`. */
  readonly name: string;
  /** Its address without the key of one of several: what one block of a program declares. */
  readonly block: string;
  readonly isData: boolean;
  /** The version of its schema; undefined where the tool records none. */
  readonly schemaVersion: number | undefined;
  /** By the names of Terraform's provider. */
  readonly attributes: Properties;
}

/** The text at a key; undefined for none, and for an empty one. */
export function textOf(attributes: Properties, key: string): string | undefined {
  return text(attributes, key) || undefined;
}

/** The error that lists all problems of a state, or of what is to be made of it. */
export function adoptionFailure(what: string, problems: readonly string[]): CommandFailure {
  const [only = "", ...more] = problems;
  return new CommandFailure(
    more.length === 0
      ? `${what}: ${only}`
      : `${what}:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`,
  );
}
