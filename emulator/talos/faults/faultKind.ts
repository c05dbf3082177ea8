import type { MachineFaults } from "./machineFaults";

/** An active fault. */
export interface StartedFault {
  /** Lifts the fault. Resolves when the machine is back to normal. */
  lift(): Promise<void>;
  /** Its effects so far, as numbers. Default: none. */
  observed?(): Readonly<Record<string, number>>;
}

/** A kind of fault. */
export interface FaultKindDefinition {
  /** Its effect on a machine. */
  readonly does: string;
  /** The real failure that it simulates. */
  readonly standsFor: string;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** Why this machine can't have the fault. Undefined when it can. Default: every machine can. */
  readonly refusal?: (target: FaultTarget) => string | undefined;
  /** Injects it into a machine. */
  readonly start: (target: FaultTarget, parameters: FaultParameters) => Promise<StartedFault>;
}

/** The value of a fault's parameter. */
export type ParameterValue = number | boolean | string;

/** One parameter of a kind of fault. */
export interface ParameterDefinition {
  /** The value when it is unset. It also defines the parameter's type. */
  readonly default: ParameterValue;
  readonly meaning: string;
  /** Minimum of a number. Default: none. */
  readonly atLeast?: number;
}

/** The complete and checked parameters of a fault. */
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

/** A machine that can have faults. */
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
