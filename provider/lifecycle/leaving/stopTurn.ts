import { clock } from "../../base/clock";
import { awaitEtcd } from "../etcd/awaitEtcd";
import { awaitHealthy } from "../health/awaitHealthy";
import { DOWN_MS } from "../kubernetes/apiServers";
import { type DrainRequest, drainNode } from "../kubernetes/drainNode";
import { ApiServersDownError, waitForKubernetes } from "../kubernetes/kubernetesAccess";
import {
  CORDONED_ANNOTATION,
  letPodsIn,
  listNodes,
  uncordonNode,
} from "../kubernetes/kubernetesNode";
import type { Machine } from "../machine";

/** A machine whose instance is stopped and started, for example for another instance type. */
export interface StopRequest extends DrainRequest {
  readonly machine: Machine;
  readonly isControlPlane: boolean;
  /** The group of machines, for example a pool's name. */
  readonly reason: string;
  /** How many of them may be unavailable at the same time. */
  readonly mostAway: number;
  /** Ends the wait if another machine of the group has failed. */
  readonly signal: AbortSignal;
}

/** How long other machines may take to return, and this one to become healthy again. */
const BACK_TIMEOUT_MS = 900_000;

/**
 * Waits until a machine may be stopped, and drains its node. No more machines of the group than
 * allowed are unavailable, and in a control plane every member of etcd is healthy. Kubernetes
 * records which machines are unavailable, also after a killed run. Ready nodes that such a run left
 * cordoned are uncordoned.
 *
 * @param stopping addresses of machines that this run stops, whose nodes are left alone
 * @throws WaitTimeoutError if the others aren't back in 15 minutes
 * @throws what `drainNode` throws
 */
export async function beginStop(
  request: StopRequest,
  stopping: ReadonlySet<string>,
): Promise<void> {
  await mayStop(request, stopping);
  if (request.isControlPlane) {
    await awaitEtcd(request.machine, clock.now() + BACK_TIMEOUT_MS, request.progress);
  }
  await drainNode(request);
}

/**
 * Waits until few enough machines of the group are unavailable. If no API server runs, nothing is
 * recorded anywhere. Then etcd alone decides about a control plane machine, because its stop may be
 * meant to repair it.
 */
async function mayStop(request: StopRequest, stopping: ReadonlySet<string>): Promise<void> {
  const { privateAddress, controlPlanes, reason, mostAway, whenDown, progress } = request;
  const proceeds = whenDown === "proceed";
  await waitForKubernetes({
    what: `permission to stop machine ${privateAddress}`,
    deadlineMs: BACK_TIMEOUT_MS,
    ...(proceeds && { downMs: DOWN_MS }),
    controlPlanes,
    progress,
    signal: request.signal,
    look: async (access, signal) => {
      const nodes = await listNodes(access, signal);
      const others = nodes.filter(
        ({ annotations, addresses }) =>
          annotations[CORDONED_ANNOTATION] === reason && !addresses.includes(privateAddress),
      );
      const left = others.filter(
        ({ isReady, addresses }) => isReady && !addresses.some((each) => stopping.has(each)),
      );
      await Promise.all(left.map((node) => letPodsIn(access, node, signal)));
      const away = others.filter((node) => !left.includes(node));
      const names = away.map(({ name }) => name).join(", ");
      return away.length < mostAway
        ? { done: true, value: undefined }
        : { done: false, status: `not back yet: ${names}` };
    },
  }).catch((error: unknown) => {
    if (!(error instanceof ApiServersDownError)) {
      throw error;
    }
  });
}

/**
 * Waits until a stopped and started machine reports healthy, and uncordons its node.
 *
 * @throws WaitTimeoutError if it isn't in 15 minutes
 */
export async function endStop(request: StopRequest): Promise<void> {
  const { machine, progress } = request;
  const deadline = clock.now() + BACK_TIMEOUT_MS;
  await awaitHealthy({ machine, settledSeconds: 0, wasUp: true, deadline, progress });
  await uncordonNode(request);
}
