import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import type { EtcdService } from "../etcd/etcdService";
import { RpcError } from "../rpc/rpcError";

const retryMs = 20;

/**
 * The node's etcd, once it runs and there is a majority. machined tries to reach etcd again and
 * again, so a call ends only when its caller gives up: raises `DEADLINE_EXCEEDED` then.
 */
export async function etcdMembership(etcd: EtcdService, signal: AbortSignal) {
  for (;;) {
    const current = etcd.membership;
    if (current?.cluster.hasQuorum === true) return current;
    try {
      await setTimeout(retryMs, undefined, { signal });
    } catch {
      throw new RpcError(status.DEADLINE_EXCEEDED, "context deadline exceeded");
    }
  }
}
