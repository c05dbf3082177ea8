import { status } from "@grpc/grpc-js";

/**
 * What a call to a simulated node ends with when it fails: a gRPC status, its text as a real node
 * has it.
 */
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
    if (failure instanceof RpcError) return failure;
    return new RpcError(
      status.UNKNOWN,
      failure instanceof Error ? failure.message : String(failure),
    );
  }
}
