import { status } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";
import type { MachineFaults } from "./machineFaults";
import { untilSent } from "./untilSent";

/** Does all that a call asks, and lets so much of the answer out before it cuts. */
export async function* answeredUpTo(
  bytes: number,
  answer: AsyncIterable<Buffer>,
  { wire }: MachineFaults,
): AsyncIterable<Buffer> {
  let sent = 0;
  let isCut = false;
  for await (const message of answer) {
    isCut ||= sent + message.length > bytes;
    if (isCut) continue;
    sent += message.length;
    yield message;
  }
  if (sent > 0) await untilSent();
  wire.reset();
  throw new RpcError(status.UNAVAILABLE, "connection reset by peer");
}
