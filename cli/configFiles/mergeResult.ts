/** A file of `kubectl` or `talosctl` after a cluster was added. */
export interface MergeResult {
  readonly text: string;
  readonly contextName: string;
  /** The intended name, if another cluster has it. */
  readonly renamedFrom?: string;
  readonly isCurrent: boolean;
}

/** A file of `kubectl` or `talosctl` after a cluster was removed. */
export interface RemovalResult {
  readonly text: string;
  readonly contextNames: readonly string[];
  /** Whether the current context was removed, so that there is none now. */
  readonly wasCurrent: boolean;
}

/**
 * Adds a cluster to a file, or updates it there. Everything else in the file is kept, including
 * comments.
 *
 * @param before the file's text; empty for a new one
 * @param own the cluster's own file
 * @throws ConfigTextError if the file is invalid, or another cluster has the context's name
 */
export type MergeCluster = (before: string, own: string, options?: MergeOptions) => MergeResult;

export interface MergeOptions {
  /** Name of the context. Default: its own name, with a number if that is taken. */
  readonly contextName?: string;
  /** Makes it the current context. Default: only if there is none. */
  readonly setCurrent?: boolean;
}

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
