import { status } from "@grpc/grpc-js";
import { messageOfError } from "../../../provider/base";

/** The failure of a call to a simulated node: a gRPC status with a real node's text. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(
    /** One of grpc-js's `status` codes. */
    readonly code: status,
    message: string,
  ) {
    super(message);
  }

  /**
   * Any failure as a status. An error that is no `RpcError` becomes `UNKNOWN` with its text, as Go's
   * gRPC server treats a plain error.
   */
  static from(failure: unknown): RpcError {
    if (failure instanceof RpcError) {
      return failure;
    }
    return new RpcError(status.UNKNOWN, messageOfError(failure));
  }
}

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

/** The failure as Go's gRPC prints it, for `metadata.error` of a reply from many nodes. */
export function goStatusText(failure: RpcError): string {
  return `rpc error: code = ${goNames[failure.code]} desc = ${failure.message}`;
}
