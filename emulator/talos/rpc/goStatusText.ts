import { status } from "@grpc/grpc-js";
import type { RpcError } from "./rpcError";

/** Names of gRPC codes as Go prints them (google.golang.org/grpc/codes v1.77, `code_string.go`). */
const goNames: Readonly<Record<status, string>> = {
  [status.OK]: "OK",
  [status.CANCELLED]: "Canceled",
  [status.UNKNOWN]: "Unknown",
  [status.INVALID_ARGUMENT]: "InvalidArgument",
  [status.DEADLINE_EXCEEDED]: "DeadlineExceeded",
  [status.NOT_FOUND]: "NotFound",
  [status.ALREADY_EXISTS]: "AlreadyExists",
  [status.PERMISSION_DENIED]: "PermissionDenied",
  [status.RESOURCE_EXHAUSTED]: "ResourceExhausted",
  [status.FAILED_PRECONDITION]: "FailedPrecondition",
  [status.ABORTED]: "Aborted",
  [status.OUT_OF_RANGE]: "OutOfRange",
  [status.UNIMPLEMENTED]: "Unimplemented",
  [status.INTERNAL]: "Internal",
  [status.UNAVAILABLE]: "Unavailable",
  [status.DATA_LOSS]: "DataLoss",
  [status.UNAUTHENTICATED]: "Unauthenticated",
};

/** The failure as Go's gRPC prints it, which is what `metadata.error` of a many-node reply holds. */
export function goStatusText(failure: RpcError): string {
  return `rpc error: code = ${goNames[failure.code]} desc = ${failure.message}`;
}
