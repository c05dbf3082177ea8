import { status } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";
import type { MachineFaults } from "./machineFaults";

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

/** Long enough for an answer to leave before its connection is cut. */
const sentMs = 50;

/** Resolves when what was answered just now has been sent. */
export function untilSent(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, sentMs));
}
