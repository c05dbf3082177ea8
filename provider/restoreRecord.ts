/**
 * A restore of a cluster's etcd that was begun, as the state of its `MachineBootstrap` records it before
 * anything is done. `talos-aws restore` writes it, and the bootstrap takes it out when etcd is up again.
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
   * `wiping`: machines may hold the old etcd still. `recovering`: none does, so that an etcd that runs is
   * the restored one.
   */
  readonly phase: "wiping" | "recovering";
}

/** A restore that etcd came back from. */
export type DoneRestore = Pick<BegunRestore, "sha256" | "at">;

/** What tells one restore from another, also from the same snapshot. */
export function restoreId({ sha256, at }: DoneRestore): string {
  return `${sha256} ${at}`;
}
