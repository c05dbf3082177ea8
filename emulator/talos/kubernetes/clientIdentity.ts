import type { TLSSocket } from "node:tls";
import { KubernetesFailure } from "./statusObject";

/** The user of a Kubernetes API request. */
export interface ClientIdentity {
  readonly name: string;
  readonly groups: readonly string[];
}

/**
 * The user from the client's certificate: the common name is the user, organizations are groups.
 * Throws `Unauthorized` without a certificate or with one of another CA, because Talos disables
 * anonymous access.
 */
export function authenticate(socket: TLSSocket): ClientIdentity {
  if (!socket.authorized) {
    throw new KubernetesFailure(401, "Unauthorized", "Unauthorized");
  }
  const { CN, O } = socket.getPeerCertificate().subject;
  const listOf = (value: string | string[] | undefined) => [value ?? []].flat();
  return { name: listOf(CN)[0] ?? "", groups: listOf(O) };
}

/** Throws `Forbidden` unless the user is in the group that RBAC allows everything. */
export function authorize(
  user: ClientIdentity,
  request: { readonly verb: string; readonly resource: string | undefined; readonly path: string },
): void {
  if (user.groups.includes("system:masters")) {
    return;
  }
  const { verb, resource, path } = request;
  throw new KubernetesFailure(
    403,
    "Forbidden",
    resource === undefined
      ? `forbidden: User "${user.name}" cannot ${verb} path "${path}"`
      : `${resource} is forbidden: User "${user.name}" cannot ${verb} resource "${resource}" in API group "" at the cluster scope`,
    resource === undefined ? {} : { kind: resource },
  );
}
