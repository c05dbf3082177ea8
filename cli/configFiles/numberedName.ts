/**
 * The name for something of ours among names that others have: the one we have already, else the
 * first free one of `name`, `name-1`, `name-2` …, as `talosctl config merge` numbers them.
 *
 * @param count how many names there are
 */
export function numberedName(
  name: string,
  is: { readonly ours: (name: string) => boolean; readonly free: (name: string) => boolean },
  count: number,
): string {
  // Among one more than there are, one is free.
  const names = [name, ...Array.from({ length: count }, (_, index) => `${name}-${index + 1}`)];
  return names.find(is.ours) ?? names.find(is.free) ?? `${name}-${count + 1}`;
}

/** Whether a name is the one given, or that one with a number. */
export function isNumbered(candidate: string, name: string): boolean {
  return candidate.startsWith(name) && /^(-\d+)?$/.test(candidate.slice(name.length));
}
