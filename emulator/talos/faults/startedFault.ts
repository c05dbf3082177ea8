import type { RpcError } from "../rpc/rpcError";
import type { StartedFault } from "./faultKind";
import type { CallFault, MachineFaults } from "./machineFaults";

/** A fault that a function lifts. */
export function started(end: () => void): Promise<StartedFault> {
  return Promise.resolve({
    lift: () => {
      end();
      return Promise.resolve();
    },
  });
}

/** A fault of calls, which counts the affected ones. */
export function startedForCalls(faults: MachineFaults, fault: CallFault): Promise<StartedFault> {
  let hits = 0;
  const counted: CallFault = {
    ...fault,
    run: (call, of) => {
      hits += 1;
      return fault.run(call, of);
    },
  };
  const end = faults.addCallFault(counted);
  return Promise.resolve({
    observed: () => ({ calls: hits }),
    lift: () => {
      end();
      return Promise.resolve();
    },
  });
}

/** Combines several faults into one. */
export async function together(...parts: Promise<StartedFault>[]): Promise<StartedFault> {
  const all = await Promise.all(parts);
  return {
    observed: () => Object.assign({}, ...all.map((each) => each.observed?.())) as Observation,
    lift: async () => {
      for (const each of all) {
        await each.lift();
      }
    },
  };
}

type Observation = ReturnType<NonNullable<StartedFault["observed"]>>;

/** An answer that fails the call. */
export function fails(error: RpcError): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
