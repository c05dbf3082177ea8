import type { InputProblem } from "../inputProblem";
import type { ConfigDocument } from "../machineConfig";
import type { MachineConfigInput } from "../machineConfigInput";
import type { VersionContract } from "../versionContract";

/** What a generator adds to a machine configuration. */
export interface Generated {
  /** Fields of the machine configuration proper that nobody else writes. */
  readonly config?: ConfigDocument;
  /** Documents beside it. Default: none. */
  readonly documents?: readonly ConfigDocument[];
}

/**
 * One group of options of a machine configuration: what they may be, and where the dialect of a
 * cluster has them.
 */
export interface Generator {
  /**
   * All that is wrong with these options. What is left out is not judged, as it may be unknown yet.
   * Default: they can't be wrong.
   */
  readonly check?: (options: Partial<MachineConfigInput>) => InputProblem[];
  /** What these options become. They have been checked. */
  readonly generate: (input: MachineConfigInput, contract: VersionContract) => Generated;
}
