import { isObject, type Value, type Values } from "./value";

/** Typed access to a resource's checked properties. A property that is left out is undefined. */
export class Inputs {
  constructor(readonly values: Values) {}

  has(name: string): boolean {
    return this.values[name] !== undefined && this.values[name] !== null;
  }

  string(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** The text, if there is any: of some properties the provider takes an empty one for none. */
  filled(name: string): string | undefined {
    const value = this.string(name);
    return value === "" ? undefined : value;
  }

  /** @throws Error when the property is missing, which `check` has ruled out. */
  requiredString(name: string): string {
    const value = this.string(name);
    if (value === undefined) {
      throw new Error(`the property "${name}" is missing`);
    }
    return value;
  }

  number(name: string): number | undefined {
    const value = this.values[name];
    return typeof value === "number" ? value : undefined;
  }

  boolean(name: string): boolean | undefined {
    const value = this.values[name];
    return typeof value === "boolean" ? value : undefined;
  }

  strings(name: string): string[] | undefined {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
  }

  map(name: string): Record<string, string> {
    const value = this.values[name];
    return isObject(value) ? stringsOf(value) : {};
  }

  block(name: string): Inputs | undefined {
    const value = this.values[name];
    return isObject(value) ? new Inputs(value) : undefined;
  }

  blocks(name: string): Inputs[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter(isObject).map((item) => new Inputs(item)) : [];
  }
}

/** The entries of a map whose values are strings. */
export function stringsOf(map: Record<string, Value>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
