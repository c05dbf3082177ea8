import { protocol } from "../../../provider/api";
import { goStatusText, type RpcError } from "../rpc/rpcError";
import { readVarint, writeVarint } from "../rpc/varint";

/** Any reply message of the Talos API begins with `metadata = 1`, so `common.Empty` stands for all. */
const emptyMessage = protocol.common.Empty;
const emptyReply = protocol.common.EmptyResponse;

/** `repeated … messages = 1`: field 1, wire type 2 (Protocol Buffers encoding). */
const MESSAGES_TAG = 0x0a;

/**
 * One node's unary reply with the node's name in the metadata of its message, as apid adds it. A
 * reply is `repeated M messages = 1`, and every M has `common.Metadata metadata = 1`, so fields can
 * be appended to the bytes. The concatenated replies of several nodes are one reply with a message
 * per node.
 */
export function nameReply(reply: Buffer, node: string): Buffer {
  const length = readVarint(reply, 1);
  if (reply[0] !== MESSAGES_TAG || length.end + length.value !== reply.length) {
    throw new Error(`unexpected message format: ${reply[0] ?? "empty"}`);
  }
  return inReply(Buffer.concat([reply.subarray(length.end), metadataOf({ hostname: node })]));
}

/** One message of a node's stream with the node's name in its metadata. */
export function nameStreamMessage(message: Buffer, node: string): Buffer {
  return Buffer.concat([message, metadataOf({ hostname: node })]);
}

/** The message of a failed node in a reply. */
export function failedReply(failure: RpcError, node: string): Buffer {
  return emptyReply.serialize({ messages: [{ metadata: failureOf(failure, node) }] });
}

/** The message of a failed node in a stream. */
export function failedStreamMessage(failure: RpcError, node: string): Buffer {
  return metadataOf(failureOf(failure, node));
}

function failureOf(failure: RpcError, node: string) {
  return {
    hostname: node,
    error: goStatusText(failure),
    status: { code: failure.code, message: failure.message },
  };
}

function metadataOf(metadata: Parameters<typeof emptyMessage.serialize>[0]["metadata"]): Buffer {
  return emptyMessage.serialize({ metadata: metadata ?? null });
}

function inReply(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from([MESSAGES_TAG]), writeVarint(message.length), message]);
}
