import { status } from "@grpc/grpc-js";
import type { Metadata__Output as MessageMetadata } from "./gen/common/Metadata";
import { explainConnection } from "./connectionProblem";
import { grpcStatusName, type GrpcStatus } from "./grpcStatus";
import type { ConnectionWatch } from "./nodeConnector";
import { redactServerMessage } from "./serverMessage";
import type { TalosErrorCode } from "./talosErrorCode";

/** Which call an error is about. */
export interface CallContext {
  /** Name or address of the node that was to do it. */
  readonly node: string;
  /** `host:port` that was dialled. */
  readonly endpoint: string;
  /** Whether the endpoint was asked to forward the call to the node. Default: false. */
  readonly isForwarded?: boolean;
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

/**
 * A call to a Talos node that failed, with a stable `code` for programs and a message for people
 * that names the node and what to do. Holds no secret: configuration that a node quotes in its
 * answer is left out, in `cause` too.
 */
export class TalosApiError extends Error {
  override readonly name = "TalosApiError";
  readonly code: TalosErrorCode;
  readonly node: string;
  readonly endpoint: string;
  readonly method: string;
  /** gRPC's own status, 2 (UNKNOWN) where there was none. */
  readonly grpcCode: number;
  override readonly cause: Error;

  private constructor(problem: Problem, context: CallContext, grpcCode: number, cause: Error) {
    const via = context.isForwarded ? ` (through ${context.endpoint})` : "";
    super(`Talos node "${context.node}"${via} ${problem.sentence}`);
    this.code = problem.code;
    this.node = context.node;
    this.endpoint = context.endpoint;
    this.method = context.method;
    this.grpcCode = grpcCode;
    this.cause = cause;
  }

  /** Makes one of whatever a call threw; one that is a `TalosApiError` already stays as it is. */
  static from(error: unknown, context: CallContext): TalosApiError {
    if (error instanceof TalosApiError) return error;
    const cause = error instanceof Error ? error : new Error(String(error));
    const grpcCode = readGrpcCode(cause);
    const detail = ("details" in cause ? String(cause.details) : cause.message).trim();
    const shown = redactServerMessage(detail);
    const problem = explain(grpcCode, shown, context);
    return new TalosApiError(
      problem,
      context,
      grpcCode,
      shown === detail ? cause : new Error(shown),
    );
  }

  /** The caller gave the call up, or closed the client. */
  static cancelled(context: CallContext): TalosApiError {
    const problem = explain(status.CANCELLED, "cancelled", context);
    return new TalosApiError(problem, context, status.CANCELLED, new Error("cancelled"));
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

function readGrpcCode(error: Error): number {
  return "code" in error && typeof error.code === "number" ? error.code : status.UNKNOWN;
}

function explain(grpcCode: number, detail: string, context: CallContext): Problem {
  const { endpoint, method, watch } = context;
  const seconds =
    context.timeoutMs === undefined ? "its deadline" : `${context.timeoutMs / 1000} s`;
  const neverConnected = watch !== undefined && watch.stage !== "established";
  const statusName = grpcStatusName(grpcCode);
  switch (statusName) {
    case "UNAVAILABLE":
      return explainConnection(
        endpoint,
        detail,
        watch ?? { stage: "established", failure: undefined },
      );
    case "DEADLINE_EXCEEDED":
      if (!neverConnected) {
        return { code: "deadlineExceeded", sentence: `did not answer ${method} within ${seconds}` };
      }
      return explainConnection(endpoint, describeSilence(watch, seconds), watch);
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
        sentence: `does not allow ${method}: ${detail}${detail === "not authorized" ? roleAdvice : ""}`,
      };
    default:
      return { code: codes[statusName], sentence: `refused ${method}: ${detail}` };
  }
}

function describeSilence(watch: ConnectionWatch, seconds: string): string {
  return watch.stage === "dialling"
    ? `no connection came about within ${seconds}: it is starting or off, or a firewall drops what is sent to it`
    : `it took the connection but finished no TLS handshake within ${seconds}`;
}
