import { status } from "@grpc/grpc-js";

/**
 * Why a call to a Talos node failed.
 *
 * Errors of the connection, before any call:
 * - `unreachable`: there was no connection, or it broke;
 * - `notConfigured`: a node in maintenance mode answered instead of a configured one;
 * - `alreadyConfigured`: the reverse;
 * - `otherMaintenanceNode`: a node in maintenance mode answered with another certificate than
 *   expected;
 * - `wrongCluster`: one side's certificate is from another CA;
 * - `nameNotInCertificate`: the server belongs to the cluster, but its certificate has another
 *   name;
 * - `serverCertificateInvalid`: the server's certificate is not valid now, by this machine's clock;
 * - `certificateRequired`, `certificateExpired`, `certificateRejected`: the node refuses the
 *   client's certificate as missing, not valid now by the node's clock, or of the wrong kind.
 *
 * Errors of the call: the gRPC status in camelCase.
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

/** A status of gRPC by name (gRPC documentation, "Status codes and their use in gRPC"). */
export type GrpcStatus = keyof typeof status;

const names: ReadonlyMap<number, GrpcStatus> = new Map(
  Object.entries(status).flatMap(([name, number]) =>
    isStatus(name) ? [[Number(number), name] as const] : [],
  ),
);

/** The name of a status by number; `UNKNOWN` for an undefined number, as in gRPC itself. */
export function grpcStatusName(code: number): GrpcStatus {
  return names.get(code) ?? "UNKNOWN";
}

function isStatus(name: string): name is GrpcStatus {
  return name in status && Number.isNaN(Number(name));
}
