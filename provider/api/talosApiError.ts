import { status } from "@grpc/grpc-js";
import type { Metadata__Output as MessageMetadata } from "./gen/common/Metadata";
import { explainConnection, explainSilence } from "./connectionProblem";
import { explainUnavailable } from "./unavailableProblem";
import { grpcStatusName, type GrpcStatus } from "./grpcStatus";
import type { ConnectionWatch } from "./nodeConnector";
import { redactServerMessage } from "./serverMessage";
import type { TalosErrorCode } from "./talosErrorCode";
import { findTlsAlert } from "./tlsAlert";

/** Which call an error is about. */
export interface CallContext {
  /** Name or address of the node that was to do it; several separated by commas. */
  readonly node: string;
  /** `host:port` that was dialled. */
  readonly endpoint: string;
  /** Whether the endpoint was asked to forward the call to the node. Default: false. */
  readonly isForwarded?: boolean;
  /** Whether the call went to a node in maintenance mode. Default: false. */
  readonly inMaintenance?: boolean;
  /** Such as `machine.MachineService/Bootstrap`. */
  readonly method: string;
  /** How long the call was allowed to take. */
  readonly timeoutMs?: number;
  /** What was seen of the connection; without it the gRPC status alone decides. */
  readonly watch?: ConnectionWatch;
}

interface Problem {
  readonly code: TalosErrorCode;
  readonly sentence: string;
}

interface ErrorOrigin {
  readonly code: TalosErrorCode;
  readonly context: Pick<CallContext, "node" | "endpoint" | "method">;
  readonly grpcCode: number;
  readonly mayHaveArrived: boolean;
  readonly cause: Error;
}

/**
 * A call to a Talos node that failed, with a stable `code` for programs and a message for people
 * that names the node and what to do. Holds no secret: configuration that a node quotes in its
 * answer is left out, in `cause` too.
 */
export class TalosApiError extends Error {
  override readonly name = "TalosApiError";
  readonly code: TalosErrorCode;
  readonly node: string;
  /** `host:port` that was dialled; the first one if several were. */
  readonly endpoint: string;
  readonly method: string;
  /** gRPC's own status, 2 (UNKNOWN) where there was none. */
  readonly grpcCode: number;
  /** False if the call certainly never got to a node, since no connection came about for it. */
  readonly mayHaveArrived: boolean;
  override readonly cause: Error;

  private constructor(message: string, origin: ErrorOrigin) {
    super(message);
    this.code = origin.code;
    this.node = origin.context.node;
    this.endpoint = origin.context.endpoint;
    this.method = origin.context.method;
    this.grpcCode = origin.grpcCode;
    this.mayHaveArrived = origin.mayHaveArrived;
    this.cause = origin.cause;
  }

  /** Makes one of whatever a call threw; one that is a `TalosApiError` already stays as it is. */
  static from(error: unknown, context: CallContext): TalosApiError {
    if (error instanceof TalosApiError) return error;
    const thrown = error instanceof Error ? error : new Error(String(error));
    const grpcCode = readGrpcCode(thrown);
    const detail = ("details" in thrown ? String(thrown.details) : thrown.message).trim();
    const shown = redactServerMessage(detail);
    const cause = shown === detail ? thrown : new Error(shown);
    const { code, sentence } = explain(grpcCode, shown, context);
    const via = context.isForwarded ? ` (through ${context.endpoint})` : "";
    return new TalosApiError(`Talos node "${context.node}"${via} ${sentence}`, {
      ...{ code, context, grpcCode, cause },
      mayHaveArrived: true,
    });
  }

  /** No connection to the endpoint came about; `timedOut` if none had in the time there was. */
  static notConnected(
    context: CallContext & { readonly watch: ConnectionWatch },
    { timedOut }: { timedOut: boolean },
  ): TalosApiError {
    const { endpoint, watch, node } = context;
    const { code, sentence } = timedOut
      ? explainSilence(endpoint, watch, secondsOf(context))
      : explainConnection(endpoint, watch);
    const subject = context.isForwarded
      ? `Talos node "${node}" could not be asked: the endpoint that forwards to it`
      : `Talos node "${node}"`;
    return new TalosApiError(`${subject} ${sentence}`, {
      ...{ code, context },
      grpcCode: timedOut ? status.DEADLINE_EXCEEDED : status.UNAVAILABLE,
      cause: watch.failure ?? new Error(sentence),
      mayHaveArrived: false,
    });
  }

  /** None of the endpoints could be used: all reasons, with the code of `main`. Default: the first. */
  static ofEndpoints(failures: readonly TalosApiError[], main = failures[0]): TalosApiError {
    if (!main) throw new Error("there is no failure to tell of");
    if (failures.length === 1) return main;
    const reasons = failures.map(({ message }) => `\n  ${message}`).join("");
    const message = `Talos node "${main.node}" could not be asked, as none of ${failures.length} endpoints serves:${reasons}`;
    const { code, grpcCode, mayHaveArrived, cause } = main;
    return new TalosApiError(message, { code, context: main, grpcCode, mayHaveArrived, cause });
  }

  /** The node's reply is not what it should be. */
  static unreadable(error: unknown, context: CallContext): TalosApiError {
    if (error instanceof TalosApiError) return error;
    const cause = error instanceof Error ? error : new Error(String(error));
    const message = `Talos node "${context.node}" answered ${context.method} with what cannot be read: ${cause.message}`;
    return new TalosApiError(message, {
      ...{ code: "unknown", context, grpcCode: status.UNKNOWN, cause },
      mayHaveArrived: true,
    });
  }

  /** The caller gave the call up, or closed the client. */
  static cancelled(context: CallContext): TalosApiError {
    const cancelled = { code: status.CANCELLED, details: "cancelled" };
    return TalosApiError.from(Object.assign(new Error("cancelled"), cancelled), context);
  }

  /**
   * The error a node reports inside a message while the call itself succeeds, which is how apid
   * answers for each of several nodes. Undefined if the message reports none.
   */
  static fromMessage(
    metadata: MessageMetadata | null,
    context: CallContext,
  ): TalosApiError | undefined {
    if (!metadata?.error) return undefined;
    const text = /^rpc error: code = \w+ desc = ([\s\S]*)$/.exec(metadata.error)?.[1];
    const details = text ?? metadata.error;
    const code = metadata.status?.code ?? status.UNKNOWN;
    const error = Object.assign(new Error(details), { code, details });
    const node = metadata.hostname === "" ? context.node : metadata.hostname;
    return TalosApiError.from(error, { ...context, node });
  }
}

const codes: Readonly<Record<GrpcStatus, TalosErrorCode>> = {
  OK: "unknown",
  CANCELLED: "cancelled",
  UNKNOWN: "unknown",
  INVALID_ARGUMENT: "invalidArgument",
  DEADLINE_EXCEEDED: "deadlineExceeded",
  NOT_FOUND: "notFound",
  ALREADY_EXISTS: "alreadyExists",
  PERMISSION_DENIED: "permissionDenied",
  RESOURCE_EXHAUSTED: "resourceExhausted",
  FAILED_PRECONDITION: "failedPrecondition",
  ABORTED: "aborted",
  OUT_OF_RANGE: "outOfRange",
  UNIMPLEMENTED: "unimplemented",
  INTERNAL: "internal",
  UNAVAILABLE: "unreachable",
  DATA_LOSS: "dataLoss",
  UNAUTHENTICATED: "unauthenticated",
};

const roleAdvice = "; use client credentials with a role that is, such as os:admin";
const etcdAdvice = "; calls to etcd wait while it is not up or has no quorum";
const maintenanceAdvice =
  "; a node in maintenance mode takes a configuration and shows its disks and state, but nothing secret, and does nothing else";

function readGrpcCode(error: Error): number {
  return "code" in error && typeof error.code === "number" ? error.code : status.UNKNOWN;
}

function secondsOf({ timeoutMs }: CallContext): string {
  return timeoutMs === undefined ? "its deadline" : `${Math.round(timeoutMs / 100) / 10} s`;
}

function explain(grpcCode: number, detail: string, context: CallContext): Problem {
  const { endpoint, method, watch } = context;
  const statusName = grpcStatusName(grpcCode);
  switch (statusName) {
    case "UNAVAILABLE":
      if (watch?.failure) return explainConnection(endpoint, watch);
      if (findTlsAlert(new Error(detail)) !== undefined) {
        return explainConnection(endpoint, { stage: "established", failure: new Error(detail) });
      }
      return explainUnavailable(detail);
    case "DEADLINE_EXCEEDED":
      return {
        code: "deadlineExceeded",
        sentence: `did not answer ${method} within ${secondsOf(context)}${method.includes("/Etcd") ? etcdAdvice : ""}`,
      };
    case "UNKNOWN":
      // A node in maintenance mode answers so where a configured one says INVALID_ARGUMENT (Talos v1.12.1).
      return {
        code: detail.startsWith("failed to parse config") ? "invalidArgument" : "unknown",
        sentence: `refused ${method}: ${detail}`,
      };
    case "CANCELLED":
      return { code: "cancelled", sentence: `was not waited for: ${method} was cancelled` };
    case "PERMISSION_DENIED":
      return {
        code: "permissionDenied",
        sentence: `does not allow ${method}: ${explainDenial(detail, context)}`,
      };
    case "UNIMPLEMENTED":
      return {
        code: "unimplemented",
        sentence: `refused ${method}: ${detail}${context.inMaintenance ? maintenanceAdvice : ""}`,
      };
    default:
      return { code: codes[statusName], sentence: `refused ${method}: ${detail}` };
  }
}

function explainDenial(detail: string, { inMaintenance, endpoint }: CallContext): string {
  if (inMaintenance) return `${detail}${maintenanceAdvice}`;
  if (detail === "not authorized") return `${detail}${roleAdvice}`;
  if (detail === "no request forwarding") {
    return `${endpoint} is a worker, which forwards to no other node; dial a control plane node, or the node itself`;
  }
  return detail;
}
