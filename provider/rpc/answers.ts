import { type handleUnaryCall, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { CheckFailure, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A resource that exists, although the operation on it failed. */
export interface PartialResource {
  readonly id: string;
  readonly properties: Struct;
  /** The inputs that the state records. Default: those of the operation. */
  readonly inputs?: Struct;
}

/**
 * A method of a service that answers one request.
 *
 * @param partialOf the resource that an error leaves behind. Default: none
 */
export function unary<Request, Response>(
  handle: (request: Request) => Response | Promise<Response>,
  partialOf: (error: unknown, request: Request) => PartialResource | undefined = () => undefined,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    void (async () => handle(call.request))().then(
      (response) => callback(null, response),
      (error: unknown) => callback(serviceError(error, partialOf(error, call.request))),
    );
  };
}

/** The checks that inputs failed, as the engine shows them. */
export function failureMessages(
  failures: readonly { readonly property: string; readonly reason: string }[],
): CheckFailure[] {
  return failures.map(({ property, reason }) => {
    const failure = new CheckFailure();
    failure.setProperty(property);
    failure.setReason(reason);
    return failure;
  });
}

function serviceError(error: unknown, partial: PartialResource | undefined): Partial<ServiceError> {
  const message = error instanceof Error ? describe(error) : String(error);
  if (partial === undefined) {
    return { code: status.UNKNOWN, details: message };
  }
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(partialResult(partial, message)));
  return { code: status.UNKNOWN, details: message, metadata };
}

/** The protocol's error for a failed operation whose resource exists nonetheless. */
function partialResult(partial: PartialResource, message: string): Uint8Array {
  const detail = new ErrorResourceInitFailed();
  detail.setId(partial.id);
  detail.setProperties(partial.properties);
  detail.setInputs(partial.inputs);
  detail.setReasonsList([message]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const result = new Status();
  result.setCode(status.UNKNOWN);
  result.setMessage(message);
  result.setDetailsList([packed]);
  return result.serializeBinary();
}

/** The message with AWS' error code, which sometimes says more. */
function describe(error: Error): string {
  return "$metadata" in error ? `${error.name}: ${error.message}` : error.message;
}
