import type { CallContext } from "../rpc/method";
import { direct, type DirectorOptions } from "./director";
import { forwardToMany, forwardToOne, type ForwardSource } from "./forwarder";
import { parseRoles, type Role } from "./methodRoles";
import type { IncomingCall } from "./rawCall";

/** A configured node, from its apid's view. */
export interface ApidNode extends DirectorOptions, ForwardSource {
  /** Answers a call to this node. */
  serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer>;
}

/**
 * Answers a call to a configured node's apid. It reads the caller's roles from its certificate, and
 * answers the call or forwards it to the nodes in its metadata. Throws `RpcError`.
 */
export async function* routeCall(call: IncomingCall, node: ApidNode): AsyncIterable<Buffer> {
  const { path, request, requests, metadata, signal } = call;
  const context = { roles: rolesOf(call), requests, signal };
  const route =
    metadata.get("proxyfrom").length > 0
      ? ({ kind: "local" } as const)
      : direct(path, metadata, node);
  switch (route.kind) {
    case "local":
      yield* node.serve(path, request, context);
      break;
    case "one":
      yield* forwardToOne(node, route.target, { path, request, context });
      break;
    case "many":
      yield* forwardToMany(node, route.targets, { path, request, context });
      break;
  }
}

/** Only an impersonator may claim other roles. To other nodes, apid is one. */
function rolesOf({ organizations, metadata }: IncomingCall): ReadonlySet<Role> {
  const roles = parseRoles(organizations);
  const claimed = metadata.get("talos-role").flatMap((value) => value.toString().split(", "));
  return roles.has("os:impersonator") && claimed.length > 0 ? parseRoles(claimed) : roles;
}
