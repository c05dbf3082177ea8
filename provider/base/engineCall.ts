import { AsyncLocalStorage } from "node:async_hooks";

/** A call of an engine to this package's plugin. */
export interface EngineCall {
  /** The engine's own address, `host:port`, for progress. Default: it is not told. */
  readonly engine?: string | undefined;
  /** Is aborted when the engine cancels, after the first Ctrl-C. */
  readonly cancelled: AbortSignal;
  /** Has the call fail at its end, after all else that it does. Default: it can't. */
  readonly fail?: (problem: string) => void;
}

const current = new AsyncLocalStorage<EngineCall>();

/** Runs work, and everything that it starts, as a part of a call. */
export function duringCall<Result>(call: EngineCall, work: () => Result): Result {
  return current.run(call, work);
}

/** The call that the caller is a part of; undefined in programs, and for dynamic resources. */
export function engineCall(): EngineCall | undefined {
  return current.getStore();
}
