import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { RpcError } from "../rpc/rpcError";
import { untilSent } from "./answeredUpTo";
import { holdEtcd } from "./etcdFaults";
import type { FaultKindDefinition } from "./faultKind";
import {
  CHECK_FAILURES,
  type FaultedCall,
  type MachineFaults,
  methodOf,
  powerCycle,
} from "./machineFaults";
import { fails, started, startedForCalls, together } from "./startedFault";

const { ApplyConfiguration } = protocol.machine.MachineService.service;

/** The error of a method that can't write its file (Linux: ENOSPC). */
const DISK_FULL_TEXT = "write /var/lib/containerd/ingest: no space left on device";

/** What writes to the disk's partition for data. Configurations and metadata have their own. */
const writingMethods = new Set(["Upgrade", "ImagePull", "Pull"]);

/** Faults of a machine itself. */
export const machineFaultKinds = {
  powerLoss: {
    does: "switches the machine off; lifted, it boots again from its disk. Of a zone: all its machines",
    standsFor: "the loss of an availability zone, a stopped instance, a broken host",
    parameters: {},
    start: async ({ faults }) => {
      await faults.power.cut();
      return { lift: () => faults.power.restore() };
    },
  },
  reboot: {
    does: "switches the machine off and on again at once; there is nothing to lift",
    standsFor: "a kernel panic, an instance that EC2 moves to another host",
    parameters: {},
    start: async ({ faults }) => {
      await powerCycle(faults);
      return { lift: () => Promise.resolve() };
    },
  },
  rebootDuringApply: {
    does: "has the machine lose its power for a moment while it takes a configuration, before it answers",
    standsFor: "a machine that fails in the middle of a roll-out",
    parameters: {
      kept: { default: true, meaning: "whether the configuration had got to the disk" },
    },
    start: ({ faults }, parameters) =>
      startedForCalls(faults, {
        timesLeft: 1,
        applies: (call) => methodOf(call) === "ApplyConfiguration",
        run: (call) => cutDown(call, faults, parameters.boolean("kept")),
      }),
  },
  stoppedKubelet: {
    does: "stops the kubelet, and keeps it from starting: its node still looks Ready for 40 times as long as a node takes to join, its containers go on",
    standsFor: "a kubelet that hangs or fails behind a Node that Kubernetes still calls Ready",
    parameters: {},
    start: async ({ faults }) => {
      const end = faults.holdKubelet();
      await faults.refresh();
      return {
        lift: () => {
          end();
          return faults.refresh();
        },
      };
    },
  },
  failedCheck: {
    does: "has EC2 say that the machine fails a check, or that its end is scheduled; the machine goes on. A group replaces one that fails its own or its host's check",
    standsFor: "a broken host, a volume that doesn't answer, hardware that EC2 retires",
    parameters: {
      check: {
        default: "system",
        meaning: '"instance", "system" or "volumes", or an event: "retirement" or "stop"',
      },
      sinceMs: { default: 0, atLeast: 0, meaning: "how long it has lasted, in milliseconds" },
    },
    start: ({ faults }, parameters) => {
      const check = CHECK_FAILURES.find((each) => each === parameters.text("check"));
      if (check === undefined) {
        throw new Error(
          `check is "${parameters.text("check")}", and must be one of ${CHECK_FAILURES.join(", ")}`,
        );
      }
      const since = new Date(Date.now() - parameters.number("sinceMs")).toISOString();
      return started(faults.failCheck({ check, since }));
    },
  },
  brokenUpgrade: {
    does: "has upgrades fail: the installer ends with an error, for which Talos before 1.13 restarts, or the new system doesn't come up. The machine has its former system then",
    standsFor:
      "an installer that fails, a new system that doesn't boot and that the boot loader leaves again",
    parameters: {
      exitCode: {
        default: 7,
        atLeast: 0,
        meaning: "of the installer; with 0 it succeeds, and the new system doesn't come up",
      },
    },
    start: ({ faults }, parameters) => started(faults.breakUpgrades(parameters.number("exitCode"))),
  },
  diskFull: {
    does: "lets nothing be written where data are: images are refused, changed static pods stay Pending, etcd stops working, and the mounts have no space left. A configuration is accepted (in maintenance mode, and lost with the installation that fails)",
    standsFor: "a volume that is too small, logs or images that fill it",
    parameters: {},
    start: ({ faults }) =>
      together(
        started(faults.fillDisk()),
        holdEtcd(faults, "etcdserver: mvcc: database space exceeded"),
        startedForCalls(faults, {
          applies: (call) =>
            writingMethods.has(methodOf(call)) ||
            (call.inMaintenance && methodOf(call) === "ApplyConfiguration"),
          run: (call) =>
            call.inMaintenance
              ? failsToInstall(faults)
              : fails(new RpcError(status.UNKNOWN, DISK_FULL_TEXT)),
        }),
      ),
  },
} satisfies Record<string, FaultKindDefinition>;

async function* cutDown(
  { answer }: FaultedCall,
  faults: MachineFaults,
  isKept: boolean,
): AsyncIterable<Buffer> {
  if (isKept) {
    await done(answer());
  }
  void powerCycle(faults);
  yield* fails(new RpcError(status.UNAVAILABLE, "error reading from server: EOF"));
}

/** Performs a call and discards its answer. */
async function done(answer: AsyncIterable<Buffer>): Promise<void> {
  const messages = answer[Symbol.asyncIterator]();
  let message = await messages.next();
  while (message.done !== true) {
    message = await messages.next();
  }
}

async function* failsToInstall(faults: MachineFaults): AsyncIterable<Buffer> {
  yield await Promise.resolve(ApplyConfiguration.responseSerialize({ messages: [{}] }));
  void untilSent().then(() => powerCycle(faults));
}
