import type { InputProblem } from "../configError";
import type { MachineBasics } from "../machineBasics";
import type { ConfigDocument } from "../machineConfig";
import type { VersionContract } from "../releases/versionContract";

/** A field of the machine configuration proper that a document replaces: section and key. */
export type Replaced = readonly [section: "machine" | "cluster", key: string];

/** The parts that a generator adds to a machine configuration. */
export interface Generated {
  /** Fields of the machine configuration proper that no other generator writes. */
  readonly config?: ConfigDocument;
  /** Further documents. Default: none. */
  readonly documents?: readonly ConfigDocument[];
  /** Fields that these documents replace, because Talos refuses both. Default: none. */
  readonly replaced?: readonly Replaced[];
}

/**
 * One group of options of a machine configuration: their checks, and their fields or documents in
 * the cluster's contract. `Options` are the group's own, and those of other groups that it reads.
 * Each group also reads the basics.
 */
export interface Generator<Options> {
  /**
   * All problems of these options. Absent ones are not checked, because they may be unknown.
   * Default: none.
   */
  readonly check?: (options: Partial<Options & MachineBasics>) => InputProblem[];
  /** Generates the parts for checked options. */
  readonly generate: (options: Options & MachineBasics, contract: VersionContract) => Generated;
}
