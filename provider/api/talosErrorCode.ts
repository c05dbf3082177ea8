/**
 * Why a call to a Talos node failed.
 *
 * Of the connection, when no call took place:
 * - `unreachable`: no connection came about, or it broke off;
 * - `notConfigured`: a node in maintenance mode answered where a configured one was expected;
 * - `alreadyConfigured`: the reverse;
 * - `otherMaintenanceNode`: a node in maintenance mode answered with another certificate than expected;
 * - `wrongCluster`: one side's certificate is of another CA;
 * - `nameNotInCertificate`: the server is of the cluster, but not the one that was dialled;
 * - `serverCertificateInvalid`: the server's certificate is not valid now, by this machine's clock;
 * - `certificateRequired`, `certificateExpired`, `certificateRejected`: the node refuses the
 *   client's certificate as missing, not valid now by the node's clock, or unfit.
 *
 * Of the call: the gRPC status in camelCase.
 */
export type TalosErrorCode =
  | "unreachable"
  | "notConfigured"
  | "alreadyConfigured"
  | "otherMaintenanceNode"
  | "wrongCluster"
  | "nameNotInCertificate"
  | "serverCertificateInvalid"
  | "certificateRequired"
  | "certificateExpired"
  | "certificateRejected"
  | "permissionDenied"
  | "unauthenticated"
  | "invalidArgument"
  | "alreadyExists"
  | "failedPrecondition"
  | "unimplemented"
  | "deadlineExceeded"
  | "notFound"
  | "resourceExhausted"
  | "aborted"
  | "outOfRange"
  | "dataLoss"
  | "internal"
  | "cancelled"
  | "unknown";
