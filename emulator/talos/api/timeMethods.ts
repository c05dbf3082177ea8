import { protocol } from "../../../provider/api/protocol";
import { unary, type Method } from "../rpc/method";
import { timestamp } from "../rpc/timestamp";
import type { MethodContext } from "./methodContext";

const { service } = protocol.time.TimeService;

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
    unary(service.Time, () => answer(state.config?.facts.timeServer ?? "")),
    unary(service.TimeCheck, ({ server }) => answer(server)),
  ];
}
