import type { Properties } from "./rule";

/** What stands in an engine's events and policies for texts that aren't known yet. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What a property of a resource or block is, for a rule to ask. */
export function property(owner: Properties, name: string): unknown {
  return owner[name] === UNKNOWN ? undefined : owner[name];
}

/** The text of a property; undefined when it is none, is not known yet, or is secret. */
export function textOf(owner: Properties, name: string): string | undefined {
  const value = property(owner, name);
  return typeof value === "string" && value !== "[secret]" ? value : undefined;
}

/** The block of a property; empty when there is none. */
export function blockOf(owner: Properties, name: string): Properties {
  const value = property(owner, name);
  return isBlock(value) ? value : {};
}

/** The blocks in a property that is a list of them. */
export function blocksOf(owner: Properties, name: string): readonly Properties[] {
  const value = property(owner, name);
  return Array.isArray(value) ? value.filter(isBlock) : [];
}

/** The texts in a property that is a list of them. */
export function textsOf(owner: Properties, name: string): readonly string[] {
  const value = property(owner, name);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Whether a property will have a value that nobody knows yet. */
export function isUnknown(owner: Properties, name: string): boolean {
  return owner[name] === UNKNOWN;
}

/** Whether a value is a block of properties. */
export function isBlock(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
