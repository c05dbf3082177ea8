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
