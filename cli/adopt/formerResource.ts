import { CommandFailure } from "../commandFailure";

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
  /** Whether the tool only read it. */
  readonly isData: boolean;
  /** The version of its schema; undefined where the tool records none. */
  readonly schemaVersion: number | undefined;
  /** By the names of Terraform's provider. */
  readonly attributes: Attributes;
}

/** Attributes of a resource, as JSON. */
export type Attributes = Readonly<Record<string, unknown>>;

/** The attributes at a key; empty without any. */
export function attributesAt(attributes: Attributes, key: string): Attributes {
  const { [key]: found } = attributes;
  return isAttributes(found) ? found : {};
}

/** The text at a key; undefined for none, and for an empty one. */
export function textOf(attributes: Attributes, key: string): string | undefined {
  const { [key]: found } = attributes;
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The texts of the list at a key. */
export function textsOf(attributes: Attributes, key: string): readonly string[] {
  const { [key]: found } = attributes;
  return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
}

/** Whether a value is a mapping. */
export function isAttributes(value: unknown): value is Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
