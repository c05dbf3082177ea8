import { status } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";
import type { MachineFaults } from "./machineFaults";

/** Performs a call completely, but cuts the connection after so many bytes of the answer. */
export async function* answeredUpTo(
  bytes: number,
  answer: AsyncIterable<Buffer>,
  { wire }: MachineFaults,
): AsyncIterable<Buffer> {
  let sent = 0;
  let isCut = false;
  for await (const message of answer) {
    isCut ||= sent + message.length > bytes;
    if (isCut) {
      continue;
    }
    sent += message.length;
    yield message;
  }
  if (sent > 0) {
    await untilSent();
  }
  wire.reset();
  throw new RpcError(status.UNAVAILABLE, "connection reset by peer");
}

/** Enough time for an answer to be sent before its connection is cut. */
const SENT_MS = 50;

/** Resolves when the last answer has been sent. */
export function untilSent(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SENT_MS));
}
