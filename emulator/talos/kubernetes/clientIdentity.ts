import type { IncomingHttpHeaders } from "node:http";
import type { TLSSocket } from "node:tls";
import { identityOfBootstrapToken } from "./bootstrapTokens";
import type { ClientTrust } from "./clientTrust";
import type { KubernetesStore } from "./kubernetesStore";
import { type ClientIdentity, identityOfToken } from "./serviceAccountToken";
import { KubernetesFailure } from "./statusObject";

/** What identifies a client. */
export interface ClientProof {
  readonly socket: TLSSocket;
  /** The headers of its request. */
  readonly headers: IncomingHttpHeaders;
  readonly trust: ClientTrust;
  /** Its Secrets are the bootstrap tokens. */
  readonly store: KubernetesStore;
}

/** The only API servers that pass requests on: Talos' `requestheader-allowed-names`. */
const FRONT_PROXY = "front-proxy-client";

/**
 * The user from the client's certificate: the common name is the user, organizations are groups. Or
 * the user whom another API server names, which has a certificate of the aggregator. Or the service
 * account of its token, or the kubelet that joins with a bootstrap token. Throws `Unauthorized` without
 * any, with a certificate of another CA or with a token of another key, because Talos disables anonymous
 * access.
 */
export function authenticate({ socket, headers, trust, store }: ClientProof): ClientIdentity {
  if (!socket.authorized) {
    const [, token = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    const account =
      identityOfToken(token, trust.tokens, new Date()) ?? identityOfBootstrapToken(store, token);
    if (account !== undefined) {
      return account;
    }
    throw unauthorized();
  }
  const { CN, O } = socket.getPeerCertificate().subject;
  const listOf = (value: string | string[] | undefined) => [value ?? []].flat();
  const certificate = socket.getPeerX509Certificate();
  const isAggregated = trust.aggregators.some(
    ({ publicKey }) => certificate?.verify(publicKey) === true,
  );
  if (!isAggregated) {
    return { name: listOf(CN)[0] ?? "", groups: listOf(O) };
  }
  const [user] = listOf(headers["x-remote-user"]);
  if (listOf(CN)[0] !== FRONT_PROXY || user === undefined) {
    throw unauthorized();
  }
  return {
    name: user,
    groups: listOf(headers["x-remote-group"]).flatMap((text) => text.split(", ")),
  };
}

function unauthorized(): KubernetesFailure {
  return new KubernetesFailure(401, "Unauthorized", "Unauthorized");
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
