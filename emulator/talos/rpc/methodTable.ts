import { status } from "@grpc/grpc-js";
import type { Method } from "./method";
import { RpcError } from "./rpcError";

/** The methods a node serves at the moment, by path. */
export class MethodTable {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #services: ReadonlySet<string>;

  /** Services named in `services` are known even where none of their methods is among `methods`. */
  constructor(methods: readonly Method[], services: readonly string[] = []) {
    this.#methods = new Map(methods.map((method) => [method.path, method]));
    this.#services = new Set([...services, ...methods.map(({ path }) => serviceOf(path))]);
  }

  /** Throws `UNIMPLEMENTED`, in the words of Go's gRPC server, if the whole service is unknown. */
  requireService(path: string): void {
    const service = serviceOf(path);
    if (!this.#services.has(service)) {
      throw new RpcError(status.UNIMPLEMENTED, `unknown service ${service}`);
    }
  }

  /** Throws `UNIMPLEMENTED`, in the words of Go's gRPC server, if there is no such method. */
  require(path: string): Method {
    this.requireService(path);
    const method = this.#methods.get(path);
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
