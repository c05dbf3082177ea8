/** Properties by name, as JSON. A secret is an object without its value. */
export type Properties = Readonly<Record<string, unknown>>;

export function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a property; empty without one, or for a secret. */
export function text(properties: Properties, name: string): string {
  const value = properties[name];
  return typeof value === "string" ? value : "";
}

export function texts(properties: Properties, name: string): readonly string[] {
  const value = properties[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function numberOf(properties: Properties, name: string): number | undefined {
  const value = properties[name];
  return typeof value === "number" ? value : undefined;
}

/** The mapping of a property; empty without one. */
export function mappingAt(properties: Properties, name: string): Properties {
  const value = properties[name];
  return isProperties(value) ? value : {};
}

export function objects(properties: Properties, name: string): readonly Properties[] {
  const value = properties[name];
  return Array.isArray(value) ? value.filter(isProperties) : [];
}
