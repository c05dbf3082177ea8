import { isIP } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import type { CallContext } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { failedReply, failedStreamMessage, nameReply, nameStreamMessage } from "./mergedReply";
import { mergeStreams } from "./mergedStream";

/** How long apid tries to connect to another node. */
const CONNECT_TIMEOUT_MS = 20_000;
const RETRY_MS = 250;

/** A node that another node's apid finds at an address. */
export interface ForwardTarget {
  /** Whether it is on, so that its network answers, if only that the port is closed. */
  readonly isOn: boolean;
  /** Whether its port is open. */
  readonly isListening: boolean;
  /**
   * Whether its certificate is from the CA with this certificate (base64 PEM), and it accepts
   * certificates of that CA.
   */
  sharesCa(caCertificate: string): boolean;
  /** Answers like for a direct call. */
  serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer>;
}

/** The node that forwards. */
export interface ForwardSource {
  /** Base64 PEM certificate of the CA that issued its own certificates. */
  readonly caCertificate: string;
  /** Finds a node by any of its names and addresses. */
  find(target: string): ForwardTarget | undefined;
}

/** A call to forward to other nodes. */
export interface ForwardedCall {
  readonly path: string;
  readonly request: Buffer;
  readonly context: CallContext;
}

/**
 * Forwards a call to one node and returns its reply unchanged. Throws `UNAVAILABLE` for an
 * unreachable node, for an address without a machine only when the attempt to connect ends.
 */
export async function* forwardToOne(
  source: ForwardSource,
  target: string,
  { path, request, context }: ForwardedCall,
): AsyncIterable<Buffer> {
  const node = await connected(source, target, context.signal);
  yield* reachable(node, target, source).serve(path, request, context);
}

/**
 * Forwards a call to several nodes. The reply has a message per node, in the order of their
 * answers, with the node's name in its metadata. A node's error is in its message, not in the
 * status.
 */
export async function* forwardToMany(
  source: ForwardSource,
  targets: readonly string[],
  call: ForwardedCall,
): AsyncIterable<Buffer> {
  const streaming = isStreamed(call.path);
  const replies: Buffer[] = [];
  const streams = targets.map((target) => namedReplies(source, target, call, streaming));
  for await (const reply of mergeStreams(streams, call.context.signal)) {
    if (streaming) {
      yield reply;
    } else {
      replies.push(reply);
    }
  }
  if (!streaming) {
    yield Buffer.concat(replies);
  }
}

async function* namedReplies(
  source: ForwardSource,
  target: string,
  call: ForwardedCall,
  streaming: boolean,
): AsyncIterable<Buffer> {
  try {
    for await (const message of forwardToOne(source, target, call)) {
      yield streaming ? nameStreamMessage(message, target) : nameReply(message, target);
    }
  } catch (error) {
    const failure = RpcError.from(error);
    yield streaming ? failedStreamMessage(failure, target) : failedReply(failure, target);
  }
}

/**
 * Finds the node at an address, and waits for one that isn't on or isn't there: AWS drops the packets,
 * and apid repeats them for 20 s (Talos v1.12.1, `internal/app/apid/pkg/backend`, `MinConnectTimeout`).
 */
async function connected(
  source: ForwardSource,
  target: string,
  signal: AbortSignal,
): Promise<ForwardTarget> {
  for (const end = Date.now() + CONNECT_TIMEOUT_MS; ;) {
    const node = source.find(target);
    if (node?.isOn === true) {
      return node;
    }
    if (node === undefined && isIP(target) === 0) {
      throw unavailable(
        `dns: A record lookup error: lookup ${target} on 127.0.0.53:53: no such host`,
      );
    }
    if (signal.aborted || Date.now() > end) {
      throw unavailable(dialError(target, "i/o timeout"));
    }
    await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function reachable(node: ForwardTarget, target: string, source: ForwardSource): ForwardTarget {
  if (!node.isListening) {
    throw unavailable(dialError(target, "connect: connection refused"));
  }
  if (!node.sharesCa(source.caCertificate)) {
    throw unavailable(
      'connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"',
    );
  }
  return node;
}

function dialError(target: string, reason: string): string {
  return `connection error: desc = "transport: Error while dialing: dial tcp ${target}:50000: ${reason}"`;
}

function unavailable(message: string): RpcError {
  return new RpcError(status.UNAVAILABLE, message);
}

/** Methods whose replies apid does not merge (talos v1.12.1, `internal/app/apid/main.go`). */
const streamed: ReadonlySet<string> = new Set([
  "/machine.MachineService/Copy",
  "/machine.MachineService/DiskUsage",
  "/machine.MachineService/Dmesg",
  "/machine.MachineService/EtcdSnapshot",
  "/machine.MachineService/Events",
  "/machine.MachineService/ImageList",
  "/machine.MachineService/Kubeconfig",
  "/machine.MachineService/List",
  "/machine.MachineService/Logs",
  "/machine.MachineService/PacketCapture",
  "/machine.MachineService/Read",
  "/cluster.ClusterService/HealthCheck",
]);

/** Whether replies of several nodes are forwarded one by one, without merging them. */
function isStreamed(path: string): boolean {
  return streamed.has(path) || path.endsWith("Stream");
}
