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
 * account of its token, the kubelet that joins with a bootstrap token, or a person with another issuer's
 * token. Rejects with `Unauthorized` without any, with a certificate of another CA or with a token of
 * another key, because Talos disables anonymous access.
 */
export async function authenticate({
  socket,
  headers,
  trust,
  store,
}: ClientProof): Promise<ClientIdentity> {
  if (!socket.authorized) {
    const [, token = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    const account =
      identityOfToken(token, trust.tokens, new Date()) ??
      identityOfBootstrapToken(store, token) ??
      (await trust.people.userOf(token));
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

/** Who one is, which everybody may ask (the role `system:basic-user`). */
export const SELF_REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** What else everybody may read (the role `system:discovery`), where it is no object. */
const DISCOVERY = /^\/(?:api|apis|openapi|healthz|livez|readyz|version)(?:\/|$)/;

/**
 * Throws `Forbidden` unless the user is in the group that RBAC allows everything, or asks what everybody may.
 * Other bindings aren't judged.
 */
export function authorize(
  user: ClientIdentity,
  request: { readonly verb: string; readonly resource: string | undefined; readonly path: string },
): void {
  const { verb, resource, path } = request;
  const isForAll =
    path === SELF_REVIEW || (resource === undefined && verb === "get" && DISCOVERY.test(path));
  if (user.groups.includes("system:masters") || isForAll) {
    return;
  }
  throw new KubernetesFailure(
    403,
    "Forbidden",
    resource === undefined
      ? `forbidden: User "${user.name}" cannot ${verb} path "${path}"`
      : `${resource} is forbidden: User "${user.name}" cannot ${verb} resource "${resource}" in API group "" at the cluster scope`,
    resource === undefined ? {} : { kind: resource },
  );
}
