/** A file of `kubectl` or `talosctl` after a cluster was put into it. */
export interface MergeResult {
  readonly text: string;
  /** The name of the cluster's context there. */
  readonly contextName: string;
  /** The name that was meant, where another cluster has it. */
  readonly renamedFrom?: string;
  readonly isCurrent: boolean;
}

/** A file of `kubectl` or `talosctl` after a cluster was taken out of it. */
export interface RemovalResult {
  readonly text: string;
  /** The names of the contexts that were taken out. */
  readonly contextNames: readonly string[];
  /** Whether the current context was one of them, so that there is none now. */
  readonly wasCurrent: boolean;
}

/**
 * Puts a cluster into a file, or brings it up to date there. What else is in the file stays, comments
 * included.
 *
 * @param before the file's text; empty for a new one
 * @param own the file of the cluster alone
 * @throws ConfigTextError when the file can't be read, or another cluster has the context's name
 */
export type MergeCluster = (before: string, own: string, options?: MergeOptions) => MergeResult;

/** How a cluster is put into a file. */
export interface MergeOptions {
  /** Name of the context. Default: the one it comes with, with a number where that is taken. */
  readonly contextName?: string;
  /** Makes it the current one. Default: only where there is no current one. */
  readonly setCurrent?: boolean;
}
