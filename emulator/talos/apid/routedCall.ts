import type { CallContext } from "../rpc/method";
import type { IncomingCall } from "./rawCall";
import { direct, type DirectorOptions } from "./director";
import { forwardToMany, forwardToOne, type ForwardSource } from "./forwarder";
import { parseRoles, type Role } from "./role";

/** A configured node as its apid sees it. */
export interface ApidNode extends DirectorOptions, ForwardSource {
  /** Answers a call meant for this node. */
  serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer>;
}

/**
 * Answers a call to a configured node's apid: takes the caller's roles from its certificate, then
 * answers here or hands the call to the nodes its metadata names. Throws `RpcError`.
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

/** Only an impersonator may claim other roles. apid is one to other nodes. */
function rolesOf({ organizations, metadata }: IncomingCall): ReadonlySet<Role> {
  const roles = parseRoles(organizations);
  const claimed = metadata.get("talos-role").flatMap((value) => value.toString().split(", "));
  return roles.has("os:impersonator") && claimed.length > 0 ? parseRoles(claimed) : roles;
}
