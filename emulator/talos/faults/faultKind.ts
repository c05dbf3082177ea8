import type { MachineFaults } from "./machineFaults";

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

/** What a parameter of a fault can be. */
export type ParameterValue = number | boolean | string;

/** One parameter of a kind of fault. */
export interface ParameterDefinition {
  /** What it stands at when it is left out; its type is that of the parameter. */
  readonly default: ParameterValue;
  readonly meaning: string;
  /** The least a number may be. Default: any. */
  readonly atLeast?: number;
}

/** The parameters of one fault, complete and of the right types. */
export class FaultParameters {
  constructor(readonly values: Readonly<Record<string, ParameterValue>>) {}

  number(name: string): number {
    return Number(this.values[name]);
  }

  boolean(name: string): boolean {
    return this.values[name] === true;
  }

  text(name: string): string {
    return String(this.values[name]);
  }
}

/** A machine that faults can be put into. */
export interface FaultTarget {
  /** Its EC2 instance id. */
  readonly id: string;
  /** The loopback address it listens on. */
  readonly address: string;
  readonly privateAddress: string;
  readonly zone: string;
  /** `undefined` while it runs no configuration. */
  readonly machineType: "controlplane" | "worker" | undefined;
  readonly faults: MachineFaults;
}
