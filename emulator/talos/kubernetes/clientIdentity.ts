import type { KeyObject } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { type ClientIdentity, identityOfToken } from "./serviceAccountToken";
import { KubernetesFailure } from "./statusObject";

/** What identifies a client. */
export interface ClientProof {
  readonly socket: TLSSocket;
  /** The header `Authorization` of its request. */
  readonly authorization: string | undefined;
  /** The keys of accepted service account tokens. */
  readonly serviceAccountKeys: readonly KeyObject[];
}

/**
 * The user from the client's certificate: the common name is the user, organizations are groups. Or
 * the service account of its token. Throws `Unauthorized` without either, with a certificate of
 * another CA or with a token of another key, because Talos disables anonymous access.
 */
export function authenticate(proof: ClientProof): ClientIdentity {
  const { socket, authorization, serviceAccountKeys } = proof;
  if (!socket.authorized) {
    const [, token = ""] = /^Bearer (.+)$/.exec(authorization ?? "") ?? [];
    const account = identityOfToken(token, serviceAccountKeys, new Date());
    if (account !== undefined) {
      return account;
    }
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
