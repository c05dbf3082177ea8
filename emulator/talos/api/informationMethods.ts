import { protocol } from "../../../provider/api/protocol";
import { type Method, unary } from "../rpc/method";
import { timestamp } from "../rpc/timestamp";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Go of the Talos v1.12.1 release. */
const goVersion = "go1.25.5";

/** What a node says of itself outside its resources. */
export function informationMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.Version, () => ({
      messages: [
        {
          version: {
            tag: state.talosVersion,
            // A release has its commit here. This value can't be mistaken for one.
            sha: "emulated",
            goVersion,
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
 * `time.TimeService`: every time server of the simulated network has the time of this computer, as the
 * node has unless a fault has put its clock forward or back.
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
