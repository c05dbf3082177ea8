import { protocol } from "../../../provider/api";
import { type Method, unary } from "../rpc/method";
import { timestamp } from "../rpc/times";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** The Go version of the Talos v1.12.1 release. */
const GO_VERSION = "go1.25.5";

/** Methods for information about a node outside its resources. */
export function informationMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.Version, () => ({
      messages: [
        {
          version: {
            tag: state.talosVersion,
            // A release has its commit here. This value can't be one.
            sha: "emulated",
            goVersion: GO_VERSION,
            os: "linux",
            arch: state.hardware.architecture,
          },
          platform: { name: "aws", mode: "cloud" },
          features: { rbac: true },
        },
      ],
    })),
    unary(service.Hostname, () => ({ messages: [{ hostname: state.hostname.hostname }] })),
  ];
}

const time = protocol.time.TimeService.service;

/**
 * `time.TimeService`. Every simulated time server has this computer's time, and so has the node,
 * unless a fault has changed its clock.
 */
export function timeMethods({ state }: MethodContext): Method[] {
  const answer = (server: string) => {
    const localtime = timestamp(new Date(state.now));
    return { messages: [{ server, localtime, remotetime: timestamp(new Date()) }] };
  };
  return [
    unary(time.Time, () => answer(state.config?.facts.timeServer ?? "")),
    unary(time.TimeCheck, ({ server }) => answer(server)),
  ];
}
