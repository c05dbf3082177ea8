import { protocol } from "../../../provider/api";
import { answeredUpTo, untilSent } from "./answeredUpTo";
import type { FaultKindDefinition, StartedFault } from "./faultKind";
import { type FaultedCall, type MachineFaults, methodOf, powerCycle } from "./machineFaults";
import { started, startedForCalls, together } from "./startedFault";
import { pause } from "./wire";

const { Bootstrap } = protocol.machine.MachineService.service;

/** How soon a call continues after a hold of etcd is lifted. */
const LOOK_AGAIN_MS = 20;

/** Faults of a machine's etcd. */
export const etcdFaults = {
  slowEtcd: {
    does: "makes etcd take longer to start, to learn and to answer",
    standsFor: "a disk with little throughput, an image that takes long to pull",
    parameters: {
      delayMs: { default: 2000, atLeast: 1, meaning: "how much longer, in milliseconds" },
    },
    start: ({ faults }, parameters) => {
      const delayMs = parameters.number("delayMs");
      return together(
        started(faults.etcd.slow(delayMs)),
        startedForCalls(faults, {
          applies: isEtcdCall,
          run: async function* ({ answer, signal }) {
            await pause(delayMs, signal);
            yield* answer();
          },
        }),
      );
    },
  },
  stuckEtcd: {
    does: "holds etcd where it is: it doesn't get up, is not healthy, and calls to it hang",
    standsFor: "an image that can't be pulled, a disk that hangs, lost peers",
    parameters: {},
    start: ({ faults }) => holdEtcd(faults, "context deadline exceeded"),
  },
  lostBootstrap: {
    does: "answers a Bootstrap call as if all were well, and does nothing",
    standsFor: "a machine that dies after it has answered and before etcd has written anything",
    parameters: {
      reboots: { default: false, meaning: "whether the machine reboots then, as a real one does" },
    },
    start: ({ faults }, parameters) =>
      startedForCalls(faults, {
        timesLeft: 1,
        applies: (call) => methodOf(call) === "Bootstrap",
        run: async function* () {
          yield await Promise.resolve(Bootstrap.responseSerialize({ messages: [{}] }));
          if (parameters.boolean("reboots")) {
            void untilSent().then(() => powerCycle(faults));
          }
        },
      }),
  },
  lostBootstrapAnswer: {
    does: "bootstraps etcd as asked, then cuts the connection in place of the answer",
    standsFor: "a connection that dies at the worst moment: asking again would destroy etcd",
    parameters: {},
    start: ({ faults }) =>
      startedForCalls(faults, {
        timesLeft: 1,
        applies: (call) => methodOf(call) === "Bootstrap",
        run: (call) => answeredUpTo(0, call.answer(), faults),
      }),
  },
} satisfies Record<string, FaultKindDefinition>;

/** Holds etcd, and the calls to it, with this failure of its health check. */
export async function holdEtcd(faults: MachineFaults, failure: string): Promise<StartedFault> {
  const calls = startedForCalls(faults, {
    applies: isEtcdCall,
    run: async function* ({ signal, answer }) {
      while (faults.etcd.failure !== undefined && !signal.aborted) {
        await pause(LOOK_AGAIN_MS, signal);
      }
      yield* answer();
    },
  });
  const end = faults.etcd.hold(failure);
  await faults.refresh();
  const held = {
    lift: () => {
      end();
      return faults.refresh();
    },
  };
  return together(calls, Promise.resolve(held));
}

function isEtcdCall(call: FaultedCall): boolean {
  return methodOf(call).startsWith("Etcd");
}
