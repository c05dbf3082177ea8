import type { FaultParameters, ParameterDefinition } from "./faultParameters";
import type { FaultTarget } from "./faultTarget";

/** A fault that is there. */
export interface StartedFault {
  /** Ends it. Resolves when the machine is as it was without it. */
  lift(): Promise<void>;
  /** What came of it so far, as numbers. Default: nothing. */
  observed?(): Readonly<Record<string, number>>;
}

/** A kind of fault. */
export interface FaultKindDefinition {
  /** What it does to a machine. */
  readonly does: string;
  /** What of the real world it stands for. */
  readonly standsFor: string;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** Why it can't be put into this machine; `undefined` if it can. Default: it always can. */
  readonly refusal?: (target: FaultTarget) => string | undefined;
  /** Puts it into a machine. */
  readonly start: (target: FaultTarget, parameters: FaultParameters) => Promise<StartedFault>;
}
