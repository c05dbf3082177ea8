/** A file of `kubectl` or `talosctl` after a cluster was added. */
export interface MergeResult {
  readonly text: string;
  /** The name of the cluster's context. */
  readonly contextName: string;
  /** The intended name, if another cluster has it. */
  readonly renamedFrom?: string;
  readonly isCurrent: boolean;
}

/** A file of `kubectl` or `talosctl` after a cluster was removed. */
export interface RemovalResult {
  readonly text: string;
  /** The names of the removed contexts. */
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

/** Options of adding a cluster. */
export interface MergeOptions {
  /** Name of the context. Default: its own name, with a number if that is taken. */
  readonly contextName?: string;
  /** Makes it the current context. Default: only if there is none. */
  readonly setCurrent?: boolean;
}
