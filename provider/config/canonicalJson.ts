/**
 * JSON that is the same for the same value, in whatever order its keys are.
 *
 * @param options.withoutNull whether members that are null count as absent. Default: false
 */
export function canonicalJson(
  value: unknown,
  { withoutNull = false }: { readonly withoutNull?: boolean } = {},
): string {
  return JSON.stringify(value, (_key, child: unknown) => {
    if (typeof child !== "object" || child === null || Array.isArray(child)) {
      return child;
    }
    const entries = Object.entries(child as Record<string, unknown>);
    const members = withoutNull ? entries.filter(([, member]) => member !== null) : entries;
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
