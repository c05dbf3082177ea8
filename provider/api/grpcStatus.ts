import { status } from "@grpc/grpc-js";

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
