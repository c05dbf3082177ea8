import { protocol } from "../../../provider/api/protocol";
import { unary, type Method } from "../rpc/method";
import { timestamp } from "../rpc/timestamp";
import type { MethodContext } from "./methodContext";

const { service } = protocol.time.TimeService;

/** `time.TimeService`: every time server of the simulated network has the time of this computer. */
export function timeMethods({ state }: MethodContext): Method[] {
  const answer = (server: string) => {
    const now = timestamp(new Date());
    return { messages: [{ server, localtime: now, remotetime: now }] };
  };
  return [
    unary(service.Time, () => answer(state.config?.facts.timeServer ?? "")),
    unary(service.TimeCheck, ({ server }) => answer(server)),
  ];
}
