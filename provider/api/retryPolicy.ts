import { TalosApiError } from "./talosApiError";
import { type GrpcStatus, grpcStatusName, type TalosErrorCode } from "./talosErrorCode";

/** Whether a retry of a failed call can succeed before the caller's deadline, and why. */
export interface RetryDecision {
  readonly retry: boolean;
  /**
   * The node may have executed the failed call. Check that before you repeat a call that may run
   * only once.
   */
  readonly mayHaveRun: boolean;
  readonly reason: string;
}

/** The decision for each gRPC status of a Talos node. */
export const retryPolicy: Readonly<Record<GrpcStatus, RetryDecision>> = {
  OK: no("the call succeeded"),
  CANCELLED: { retry: false, mayHaveRun: true, reason: "the caller cancelled the call" },
  UNKNOWN: {
    retry: false,
    mayHaveRun: true,
    reason: "Talos uses it for errors of its own code, which a retry meets again",
  },
  INVALID_ARGUMENT: no("the request is wrong"),
  DEADLINE_EXCEEDED: {
    retry: true,
    mayHaveRun: true,
    reason: "the node is busy or starting, and etcd's calls hang while it has no quorum",
  },
  NOT_FOUND: no("it does not exist; a wait that expects it must say so"),
  ALREADY_EXISTS: no("it exists already"),
  PERMISSION_DENIED: no("a retry does not change the client's role"),
  RESOURCE_EXHAUSTED: no("the message is larger than the API accepts"),
  FAILED_PRECONDITION: yes("the node is not ready yet: containerd starts, or time is not in sync"),
  ABORTED: yes("another change happened at the same time"),
  OUT_OF_RANGE: no("the request is wrong"),
  UNIMPLEMENTED: no("the node's kind, mode or version does not have the method"),
  INTERNAL: {
    retry: false,
    mayHaveRun: true,
    reason: "apid cannot forward to the given node, or failed itself",
  },
  UNAVAILABLE: {
    retry: true,
    mayHaveRun: true,
    reason:
      "the node starts, restarts or changes its certificate, and its port is closed until then",
  },
  DATA_LOSS: no("the reply was damaged on the node"),
  UNAUTHENTICATED: no("a retry does not change the credentials"),
};

/**
 * The decision if certificates prevented a connection: gRPC reports all of these as UNAVAILABLE.
 */
const certificateRetryPolicy: Readonly<Partial<Record<TalosErrorCode, RetryDecision>>> = {
  notConfigured: yes(
    "a node answers in maintenance mode for a moment after it has accepted its configuration",
  ),
  alreadyConfigured: no("a configured node does not return to maintenance mode by itself"),
  otherMaintenanceNode: no("the machine has restarted, or another server has its address"),
  wrongCluster: no("the address or the credentials are those of another cluster"),
  nameNotInCertificate: yes(
    "a node renews its certificate when it learns another of its addresses",
  ),
  serverCertificateInvalid: no("the clock of this machine or of the node is wrong"),
  certificateRequired: no("the client has no certificate"),
  certificateExpired: no("new client credentials have to be issued"),
  certificateRejected: no("the client certificate is of the wrong kind"),
};

/** Failed preconditions that no wait can fulfil, by Talos v1.12.1's text. */
const permanentPreconditions: readonly RegExp[] = [
  /can only be performed on a control plane node/,
  /not supported in container mode/,
];

/** The decision for an error. Another error than a `TalosApiError` is a bug and is not retried. */
export function retryDecision(error: unknown): RetryDecision {
  if (!(error instanceof TalosApiError)) {
    return no("this error is not from a node");
  }
  const isPermanent = permanentPreconditions.some((pattern) => pattern.test(error.message));
  if (error.code === "failedPrecondition" && isPermanent) {
    return no("this kind of node cannot do it");
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
