import { status } from "@grpc/grpc-js";
import type { Method } from "./method";
import { RpcError } from "./rpcError";

/** The current methods of a node, by path. */
export class MethodTable {
  private readonly methods: ReadonlyMap<string, Method>;
  private readonly services: ReadonlySet<string>;

  /** Services in `services` are known even without methods in `methods`. */
  constructor(methods: readonly Method[], services: readonly string[] = []) {
    this.methods = new Map(methods.map((method) => [method.path, method]));
    this.services = new Set([...services, ...methods.map(({ path }) => serviceOf(path))]);
  }

  /**
   * Throws `UNIMPLEMENTED` with the message of Go's gRPC server if the whole service is unknown.
   */
  requireService(path: string): void {
    const service = serviceOf(path);
    if (!this.services.has(service)) {
      throw new RpcError(status.UNIMPLEMENTED, `unknown service ${service}`);
    }
  }

  /** Throws `UNIMPLEMENTED` with the message of Go's gRPC server if the method is unknown. */
  require(path: string): Method {
    this.requireService(path);
    const method = this.methods.get(path);
    if (!method) {
      throw new RpcError(status.UNIMPLEMENTED, `method ${methodOf(path)} not implemented`);
    }
    return method;
  }
}

function serviceOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function methodOf(path: string): string {
  return path.split("/")[2] ?? "";
}
