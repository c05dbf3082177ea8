import { grpcStatusName, type GrpcStatus } from "./grpcStatus";
import { TalosApiError } from "./talosApiError";
import type { TalosErrorCode } from "./talosErrorCode";

/** Whether a failed call is worth another try before the caller's deadline, and why. */
export interface RetryDecision {
  readonly retry: boolean;
  /** The node may have done what was asked although the call failed: look before repeating what may happen only once. */
  readonly mayHaveRun: boolean;
  readonly reason: string;
}

/** What to do after each gRPC status of a Talos node. */
export const retryPolicy: Readonly<Record<GrpcStatus, RetryDecision>> = {
  OK: no("the call succeeded"),
  CANCELLED: { retry: false, mayHaveRun: true, reason: "whoever asked gave the call up" },
  UNKNOWN: {
    retry: false,
    mayHaveRun: true,
    reason: "Talos reports with it whatever error its code met, which the same call meets again",
  },
  INVALID_ARGUMENT: no("the request is at fault and stays so"),
  DEADLINE_EXCEEDED: {
    retry: true,
    mayHaveRun: true,
    reason: "the node is busy or starting, and etcd's calls hang while it has no quorum",
  },
  NOT_FOUND: no("what was asked for is not there; who expects it to appear says so with the wait"),
  ALREADY_EXISTS: no("it was done before"),
  PERMISSION_DENIED: no("the client's role does not change by asking again"),
  RESOURCE_EXHAUSTED: no("the message is larger than the API takes"),
  FAILED_PRECONDITION: yes(
    "the node is not that far yet: containerd starts, or time is not in sync",
  ),
  ABORTED: yes("another change got in between"),
  OUT_OF_RANGE: no("the request is at fault and stays so"),
  UNIMPLEMENTED: no("the node's kind, mode or version does not have the method"),
  INTERNAL: {
    retry: false,
    mayHaveRun: true,
    reason: "apid cannot forward to the node it was given, or failed itself",
  },
  UNAVAILABLE: {
    retry: true,
    mayHaveRun: true,
    reason:
      "the node starts, restarts or changes its certificate, and its port is closed meanwhile",
  },
  DATA_LOSS: no("the reply was damaged on the node"),
  UNAUTHENTICATED: no("the credentials do not change by asking again"),
};

/** What to do where certificates kept a connection from coming about: gRPC calls all of these UNAVAILABLE. */
export const certificateRetryPolicy: Readonly<Partial<Record<TalosErrorCode, RetryDecision>>> = {
  notConfigured: yes(
    "for a moment after it accepted its configuration a node still answers in maintenance mode",
  ),
  alreadyConfigured: no("a configured node does not go back to maintenance mode by itself"),
  otherMaintenanceNode: no("the machine has restarted, or somebody else has its address"),
  wrongCluster: no("the address or the credentials are those of another cluster"),
  nameNotInCertificate: yes(
    "a node issues its certificate anew when it learns another of its addresses",
  ),
  serverCertificateInvalid: no("the clock of this machine or of the node is wrong"),
  certificateRequired: no("a client without certificate stays one"),
  certificateExpired: no("new client credentials have to be issued"),
  certificateRejected: no("the client certificate is unfit and stays so"),
};

/** Preconditions that no waiting brings about, by what Talos v1.12.1 writes of them. */
const permanentPreconditions: readonly RegExp[] = [
  /can only be performed on a control plane node/,
  /not supported in container mode/,
];

/** What to do after an error. What is not a `TalosApiError` is a mistake of the program, and not retried. */
export function retryDecision(error: unknown): RetryDecision {
  if (!(error instanceof TalosApiError)) return no("this is no answer of a node");
  const isPermanent = permanentPreconditions.some((pattern) => pattern.test(error.message));
  if (error.code === "failedPrecondition" && isPermanent) {
    return no("the node is not of the kind that can do it");
  }
  const decision =
    certificateRetryPolicy[error.code] ?? retryPolicy[grpcStatusName(error.grpcCode)];
  return { ...decision, mayHaveRun: decision.mayHaveRun && error.mayHaveArrived };
}

function no(reason: string): RetryDecision {
  return { retry: false, mayHaveRun: false, reason };
}

function yes(reason: string): RetryDecision {
  return { retry: true, mayHaveRun: false, reason };
}
