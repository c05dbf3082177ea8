/**
 * JSON that is equal for equal values, whatever the order of their keys. Only for plain data:
 * values that JSON can't express count as absent.
 *
 * @param options.withoutNull whether members that are null count as absent. Default: false
 */
export function canonicalJson(
  value: unknown,
  { withoutNull = false }: { readonly withoutNull?: boolean } = {},
): string {
  return textOf(value, withoutNull) ?? "null";
}

function textOf(value: unknown, withoutNull: boolean): string | undefined {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => textOf(item, withoutNull) ?? "null").join(",")}]`;
  }
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const text = withoutNull && member === null ? undefined : textOf(member, withoutNull);
    if (text !== undefined) {
      members.push(`${JSON.stringify(key)}:${text}`);
    }
  }
  return `{${members.join(",")}}`;
}
