/**
 * A name for our entry beside those of others: the one it has already, else the first free one of
 * `name`, `name-1`, `name-2` …, as `talosctl config merge` numbers them.
 *
 * @param count the number of existing names
 */
export function numberedName(
  name: string,
  is: { readonly ours: (name: string) => boolean; readonly free: (name: string) => boolean },
  count: number,
): string {
  // One of the first `count + 1` names is free.
  const names = [name, ...Array.from({ length: count }, (_, index) => `${name}-${index + 1}`)];
  return names.find(is.ours) ?? names.find(is.free) ?? `${name}-${count + 1}`;
}

/** Whether a name is the given one, with or without a number. */
export function isNumbered(candidate: string, name: string): boolean {
  return candidate.startsWith(name) && /^(-\d+)?$/.test(candidate.slice(name.length));
}
