import type { MachineFaults } from "./machineFaults";

/** A call that has come to a machine. */
export interface FaultedCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly request: Buffer;
  /** Whether the machine has no configuration yet. */
  readonly inMaintenance: boolean;
  readonly signal: AbortSignal;
  /** Does what was asked. Raises `RpcError`. */
  readonly answer: () => AsyncIterable<Buffer>;
}

/** What happens to some calls in place of what should. */
export interface CallFault {
  /** Whether it happens to this call. */
  applies(call: FaultedCall): boolean;
  /** Answers in its way. Raises `RpcError`. */
  run(call: FaultedCall, faults: MachineFaults): AsyncIterable<Buffer>;
  /** To how many calls it still happens. Default: to all. */
  timesLeft?: number;
}

/** The name of a call's method: `Bootstrap`. */
export function methodOf({ path }: Pick<FaultedCall, "path">): string {
  return path.split("/")[2] ?? "";
}
