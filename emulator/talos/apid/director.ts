import { status, type Metadata } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";

/** The route of a call: answered here, forwarded to one node, or to several with a merged answer. */
export type Route =
  | { readonly kind: "local" }
  | { readonly kind: "one"; readonly target: string }
  | { readonly kind: "many"; readonly targets: readonly string[] };

/** The called node's own properties. */
export interface DirectorOptions {
  /** Control planes forward calls. Workers have no client certificate and don't. */
  readonly canForward: boolean;
  /** Whether a name or address is this node's own. */
  isLocal(target: string): boolean;
}

/**
 * Routes a call by its `node` and `nodes` metadata, by the rules of apid (talos v1.12.1,
 * `internal/app/apid/pkg/director`). Throws `INVALID_ARGUMENT`, `PERMISSION_DENIED` or `INTERNAL`
 * where apid does.
 */
export function direct(path: string, metadata: Metadata, options: DirectorOptions): Route {
  const node = valuesOf(metadata, "node");
  const nodes = valuesOf(metadata, "nodes");
  if (node.length > 1) {
    throw new RpcError(status.INVALID_ARGUMENT, "node metadata must be single-valued");
  }
  const [single] = node;
  const isOwn = (targets: readonly string[]) =>
    !options.canForward && targets.length === 1 && targets.every((one) => options.isLocal(one));

  if (nodes.length > 0 && !isOwn(nodes)) {
    if (path.startsWith("/cosi.")) {
      throw new RpcError(
        status.INVALID_ARGUMENT,
        "one-2-many proxying is not supported for COSI methods",
      );
    }
    requireForwarding(options);
    nodes.forEach(checkTarget);
    return { kind: "many", targets: nodes };
  }
  if (single !== undefined && !isOwn(node)) {
    requireForwarding(options);
    checkTarget(single);
    return { kind: "one", target: single };
  }
  return { kind: "local" };
}

/**
 * Node joins a header that came more than once with ", ", which no address holds. A comma alone is
 * part of a value, as it is for Go.
 */
function valuesOf(metadata: Metadata, key: string): string[] {
  return metadata.get(key).flatMap((value) => value.toString().split(", "));
}

function requireForwarding(options: DirectorOptions): void {
  if (!options.canForward) {
    throw new RpcError(status.PERMISSION_DENIED, "no request forwarding");
  }
}

function checkTarget(target: string): void {
  const hasPort = /^[^:]*:\d+$|^\[.*\]:\d+$/.test(target);
  if (target === "" || hasPort) {
    throw new RpcError(status.INTERNAL, `invalid target ${JSON.stringify(target)}`);
  }
}
