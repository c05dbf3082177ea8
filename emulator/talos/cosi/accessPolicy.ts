import { status } from "@grpc/grpc-js";
import type { Role } from "../apid/methodRoles";
import { RpcError } from "../rpc/rpcError";
import { resourceDefinitions } from "./resourceDefinitions";
import { namespaces } from "./sources/metaSources";

/**
 * Checks that the caller may read resources of a type in a namespace. Otherwise raises
 * `PERMISSION_DENIED` with Talos' message (talos v1.12.1, `internal/app/resources`).
 */
export function requireReadable(namespace: string, type: string, roles: ReadonlySet<Role>): void {
  const definition = resourceDefinitions.get(type.toLowerCase());
  if (!definition) {
    throw denied(`resource type ${JSON.stringify(type)} is not supported`);
  }
  if (definition.sensitive && !roles.has("os:admin")) {
    throw denied("not authorized");
  }
  if (!namespaces.has(namespace)) {
    throw denied(`namespace ${JSON.stringify(namespace)} is not supported`);
  }
}

/** The refusal of every write. */
export function writeRefusal(): RpcError {
  return denied("write access is not allowed");
}

function denied(message: string): RpcError {
  return new RpcError(status.PERMISSION_DENIED, message);
}
