/**
 * An unfinished restore of a cluster's etcd, recorded in the state of its `MachineBootstrap` before
 * anything changes. `talos-aws restore` writes it, and the bootstrap removes it when etcd is up
 * again.
 */
export interface BegunRestore {
  /** Full path of the snapshot. */
  readonly path: string;
  /** The SHA-256 of that file, in hexadecimal. */
  readonly sha256: string;
  /** Whether the file is a copy of etcd's own, without the checksum of a snapshot. */
  readonly skipHashCheck: boolean;
  /** When it was begun, RFC 3339. */
  readonly at: string;
  /**
   * `wiping`: machines may still hold the old etcd. `recovering`: none does, so a running etcd is
   * the restored one.
   */
  readonly phase: "wiping" | "recovering";
}

/** A completed restore. */
export type DoneRestore = Pick<BegunRestore, "sha256" | "at">;

/** Identifies a restore, also if several used the same snapshot. */
export function restoreId({ sha256, at }: DoneRestore): string {
  return `${sha256} ${at}`;
}
