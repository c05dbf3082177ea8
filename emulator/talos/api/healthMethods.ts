import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { HealthCheckRequest__Output } from "../../../provider/api/gen/cluster/HealthCheckRequest";
import { orAfter } from "../../orAfter";
import {
  clusterChecks,
  type ClusterCheck,
  type CheckedNode,
  type ClusterView,
} from "../health/clusterChecks";
import { serverStream, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.cluster.ClusterService;

/** The interval of the checks. Talos checks every 5 s, but changes are faster here. */
const POLL_MS = 100;

/**
 * The health of the whole cluster, from one of its nodes (talos v1.12.1, `v1alpha1_cluster.go`).
 */
export function healthMethods({ state, neighbours }: MethodContext): Method[] {
  return [
    serverStream(service.HealthCheck, async function* (request, { signal }) {
      const view: ClusterView = { ...neighbours, local: state, nodes: nodesOf(request) };
      const addresses = view.nodes.map(({ address }) => JSON.stringify(address));
      yield { message: `discovered nodes: [${addresses.join(" ")}]` };
      const waitMs = Number(request.waitTimeout?.seconds ?? 0) * 1000;
      const end = orAfter(signal, waitMs);
      for (const check of clusterChecks) {
        yield* progressOf(check, view, end);
      }
    }),
  ];

  function nodesOf({ clusterInfo }: HealthCheckRequest__Output): CheckedNode[] {
    const given = [
      ...(clusterInfo?.controlPlaneNodes ?? []).map((address) => ({
        address,
        machineType: "controlplane" as const,
      })),
      ...(clusterInfo?.workerNodes ?? []).map((address) => ({
        address,
        machineType: "worker" as const,
      })),
    ];
    if (given.length > 0) {
      return given;
    }
    if (state.peers.length > 0) {
      return state.peers.map(({ privateAddress, machineType }) => ({
        address: privateAddress,
        machineType,
      }));
    }
    return (neighbours.kubernetes()?.nodes ?? []).map(({ internalAddress, isControlPlane }) => ({
      address: internalAddress,
      machineType: isControlPlane ? "controlplane" : "worker",
    }));
  }
}

/** Reports a check until it passes. Throws `DEADLINE_EXCEEDED` after the time limit. */
async function* progressOf({ name, problem }: ClusterCheck, view: ClusterView, end: AbortSignal) {
  const line = (text: string) => ({ message: `waiting for ${name}: ${text}`.trim() });
  yield line("...");
  let last: string | undefined;
  for (;;) {
    const found = problem(view);
    if (found === undefined) {
      break;
    }
    if (found !== last) {
      yield line(found);
    }
    last = found;
    try {
      await setTimeout(POLL_MS, undefined, { signal: end });
    } catch {
      throw new RpcError(status.DEADLINE_EXCEEDED, "context deadline exceeded");
    }
  }
  yield line("OK");
}
