import { answeredUpTo } from "./answeredUpTo";
import type { FaultKindDefinition } from "./faultKind";
import { Imposter } from "./imposter";
import { methodOf } from "./machineFaults";
import { started, startedForCalls } from "./startedFault";

/** Faults of the network between a machine and its clients. */
export const networkFaults = {
  refuse: {
    does: "closes the machine's ports and cuts what is open; the machine itself goes on",
    standsFor: "a machine that starts, a crashed apid, a firewall that rejects",
    parameters: {},
    start: async ({ faults }) => ({ lift: await faults.wire.shut() }),
  },
  drop: {
    does: "leaves new connections and calls without any answer; what still waits is answered when it is lifted. Node answers HTTP/2's own pings all the same",
    standsFor: "a security group that was closed, a lost route, a machine that hangs",
    parameters: {},
    start: ({ faults }) => started(faults.wire.silence()),
  },
  delay: {
    does: "passes each connection and each call on later",
    standsFor: "a far region, a congested link, a machine that is short of CPU",
    parameters: {
      latencyMs: { default: 200, atLeast: 1, meaning: "how much later, in milliseconds" },
    },
    start: ({ faults }, parameters) => started(faults.wire.slow(parameters.number("latencyMs"))),
  },
  resetMidCall: {
    does: "does what a call asks, then cuts the machine's connections with a reset in place of the answer",
    standsFor: "a NAT gateway or load balancer that drops a flow, an apid that is killed",
    parameters: {
      method: { default: "", meaning: 'the method, such as "ApplyConfiguration"; empty: any' },
      afterBytes: {
        default: 0,
        atLeast: 0,
        meaning: "how many bytes of the answer's messages are let out before; only whole messages",
      },
      times: { default: 1, atLeast: 1, meaning: "to how many calls it happens" },
    },
    start: ({ faults }, parameters) => {
      const method = parameters.text("method");
      return startedForCalls(faults, {
        timesLeft: parameters.number("times"),
        applies: (call) => method === "" || methodOf(call) === method,
        run: (call) => answeredUpTo(parameters.number("afterBytes"), call.answer(), faults),
      });
    },
  },
  imposter: {
    does: "has another server listen at the machine's address, with its own certificate; it counts connections and the bytes that clients send",
    standsFor: "an address that went to another machine, a hijacked route",
    parameters: {
      inMaintenance: {
        default: false,
        meaning: "whether the certificate says that it is a machine in maintenance mode",
      },
    },
    start: async ({ faults, address }, parameters) => {
      const open = await faults.wire.shut();
      const imposter = await Imposter.start(address, parameters.boolean("inMaintenance"));
      return {
        observed: () => ({ ...imposter.observed }),
        lift: async () => {
          await imposter.stop();
          await open();
        },
      };
    },
  },
} satisfies Record<string, FaultKindDefinition>;
