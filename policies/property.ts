import { type ConfigDocument, textIn } from "../provider/config";
import type { Properties } from "./rule";

/** The placeholder for unknown texts in an engine's events and policies. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The value of a property of a resource or block. */
export function property(owner: Properties, name: string): unknown {
  return owner[name] === UNKNOWN ? undefined : owner[name];
}

/** The text of a property; undefined if it is no text, unknown, or secret. */
export function textOf(owner: Properties, name: string): string | undefined {
  return knownText(property(owner, name));
}

/**
 * The text of a setting in the outline of a machine's configuration, in either form of it; undefined as
 * for `textOf`.
 *
 * @param field its place in the machine configuration proper: `cluster.clusterName`
 */
export function settingOf(outline: Properties, field: string): string | undefined {
  return knownText(textIn(outline as ConfigDocument, field));
}

/** The block of a property; empty without one. */
export function blockOf(owner: Properties, name: string): Properties {
  const value = property(owner, name);
  return isBlock(value) ? value : {};
}

/** The blocks of a list property. */
export function blocksOf(owner: Properties, name: string): readonly Properties[] {
  const value = property(owner, name);
  return Array.isArray(value) ? value.filter(isBlock) : [];
}

/** The texts of a list property. */
export function textsOf(owner: Properties, name: string): readonly string[] {
  const value = property(owner, name);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Whether the value of a property is still unknown. */
export function isUnknown(owner: Properties, name: string): boolean {
  return owner[name] === UNKNOWN;
}

/** Whether a value is a block of properties. */
export function isBlock(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function knownText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "[secret]" && value !== UNKNOWN ? value : undefined;
}
