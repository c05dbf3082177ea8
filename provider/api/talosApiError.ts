import { status } from "@grpc/grpc-js";
import { printable } from "../base/printable";
import {
  explainConnection,
  explainSilence,
  explainUnavailable,
  findTlsAlert,
} from "./connectionProblem";
import type { Metadata__Output as MessageMetadata } from "./gen/common/Metadata";
import type { ConnectionWatch } from "./nodeConnector";
import { redactServerMessage } from "./serverMessage";
import { type GrpcStatus, grpcStatusName, type TalosErrorCode } from "./talosErrorCode";

/** The call that failed. */
export interface CallContext {
  /** Name or address of the target node; several are separated by commas. */
  readonly node: string;
  /** `host:port` of the endpoint. */
  readonly endpoint: string;
  /** Whether the endpoint had to forward the call to the node. Default: false. */
  readonly isForwarded?: boolean;
  /** Whether the call went to a node in maintenance mode. Default: false. */
  readonly inMaintenance?: boolean;
  /** For example `machine.MachineService/Bootstrap`. */
  readonly method: string;
  /** The time limit of the call. */
  readonly timeoutMs?: number;
  /** The observed state of the connection. Without it, the gRPC status alone decides. */
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
 * A failed call to a Talos node, with a stable `code` for programs and a message for people that
 * names the node and what to do. It contains no secret: configuration that a node quotes is left
 * out, also in `cause`.
 */
export class TalosApiError extends Error {
  override readonly name = "TalosApiError";
  readonly code: TalosErrorCode;
  readonly node: string;
  /** `host:port` of the endpoint; the first one if several were tried. */
  readonly endpoint: string;
  readonly method: string;
  /** gRPC's own status, 2 (UNKNOWN) without one. */
  readonly grpcCode: number;
  /** False only if the call certainly reached no node, because there was no connection. */
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

  /** Converts any error of a call. A `TalosApiError` is returned unchanged. */
  static from(error: unknown, context: CallContext): TalosApiError {
    if (error instanceof TalosApiError) {
      return error;
    }
    const thrown = error instanceof Error ? error : new Error(String(error));
    const grpcCode = readGrpcCode(thrown);
    const detail = ("details" in thrown ? String(thrown.details) : thrown.message).trim();
    const shown = printable(redactServerMessage(detail));
    const cause = shown === detail ? thrown : new Error(shown);
    const { code, sentence } = explain(grpcCode, shown, context);
    const via = context.isForwarded ? ` (through ${context.endpoint})` : "";
    return new TalosApiError(`Talos node "${context.node}"${via} ${sentence}`, {
      code,
      context,
      grpcCode,
      cause,
      mayHaveArrived: true,
    });
  }

  /** There was no connection to the endpoint; `timedOut` if there was none in time. */
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
      code,
      context,
      grpcCode: timedOut ? status.DEADLINE_EXCEEDED : status.UNAVAILABLE,
      cause: watch.failure ?? new Error(sentence),
      mayHaveArrived: false,
    });
  }

  /**
   * None of the endpoints could be used: all reasons, with the code of `main`. Default: the first.
   */
  static ofEndpoints(failures: readonly TalosApiError[], main = failures[0]): TalosApiError {
    if (!main) {
      throw new Error("there is no failure to tell of");
    }
    if (failures.length === 1) {
      return main;
    }
    const reasons = failures.map(({ message }) => `\n  ${message}`).join("");
    const message = `Talos node "${main.node}" could not be asked, because none of ${failures.length} endpoints answers:${reasons}`;
    const { code, grpcCode, mayHaveArrived, cause } = main;
    return new TalosApiError(message, { code, context: main, grpcCode, mayHaveArrived, cause });
  }

  /** The node's reply can't be read. */
  static unreadable(error: unknown, context: CallContext): TalosApiError {
    if (error instanceof TalosApiError) {
      return error;
    }
    const cause = error instanceof Error ? error : new Error(String(error));
    const message = `Talos node "${context.node}" sent an unreadable reply to ${context.method}: ${cause.message}`;
    return new TalosApiError(message, {
      code: "unknown",
      context,
      grpcCode: status.UNKNOWN,
      cause,
      mayHaveArrived: true,
    });
  }

  /** The caller cancelled the call, or closed the client. */
  static cancelled(context: CallContext): TalosApiError {
    const cancelled = { code: status.CANCELLED, details: "cancelled" };
    return TalosApiError.from(Object.assign(new Error("cancelled"), cancelled), context);
  }

  /**
   * The error that a node reports inside a message while the call itself succeeds. Apid answers
   * like that for several nodes. Undefined without such an error.
   */
  static fromMessage(
    metadata: MessageMetadata | null,
    context: CallContext,
  ): TalosApiError | undefined {
    if (!metadata?.error) {
      return undefined;
    }
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

const ROLE_ADVICE = "; use client credentials with a role that allows it, such as os:admin";
const ETCD_ADVICE = "; calls to etcd hang while it is down or has no quorum";
const MAINTENANCE_ADVICE =
  "; a node in maintenance mode only accepts a configuration and shows its disks and its state without secrets";

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
      if (watch?.failure) {
        return explainConnection(endpoint, watch);
      }
      if (findTlsAlert(new Error(detail)) !== undefined) {
        return explainConnection(endpoint, { stage: "established", failure: new Error(detail) });
      }
      return explainUnavailable(detail);
    case "DEADLINE_EXCEEDED":
      return {
        code: "deadlineExceeded",
        sentence: `did not answer ${method} within ${secondsOf(context)}${method.includes("/Etcd") ? ETCD_ADVICE : ""}`,
      };
    case "UNKNOWN":
      // A node in maintenance mode answers so if a configured one says INVALID_ARGUMENT (Talos
      // v1.12.1).
      return {
        code: detail.startsWith("failed to parse config") ? "invalidArgument" : "unknown",
        sentence: `refused ${method}: ${detail}`,
      };
    case "CANCELLED":
      return { code: "cancelled", sentence: `did not finish ${method}: the call was cancelled` };
    case "PERMISSION_DENIED":
      return {
        code: "permissionDenied",
        sentence: `does not allow ${method}: ${explainDenial(detail, context)}`,
      };
    case "UNIMPLEMENTED":
      return {
        code: "unimplemented",
        sentence: `refused ${method}: ${detail}${context.inMaintenance ? MAINTENANCE_ADVICE : ""}`,
      };
    default:
      return { code: codes[statusName], sentence: `refused ${method}: ${detail}` };
  }
}

function explainDenial(detail: string, { inMaintenance, endpoint }: CallContext): string {
  if (inMaintenance) {
    return `${detail}${MAINTENANCE_ADVICE}`;
  }
  if (detail === "not authorized") {
    return `${detail}${ROLE_ADVICE}`;
  }
  if (detail === "no request forwarding") {
    return `${endpoint} is a worker, which forwards to no other node; dial a control plane node, or the node itself`;
  }
  return detail;
}
