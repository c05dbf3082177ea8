import file from "../gen/etcdFlags.json";
import type { FlagEntry } from "./componentTable";

/** The flags of etcd's releases. Minors are those of its major 3: 6 is etcd 3.6. */
export interface EtcdFlagTable {
  /** The release that was read of each minor: `6` → `v3.6.7`. */
  readonly releases: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, FlagEntry>>;
}

/** Written by `scripts/recordComponents` from the source of etcd; a test compares with it. */
export const etcdFlagTable: EtcdFlagTable = file;
