import { type ProbeResult, waitFor, WaitTimeoutError } from "../../api/waitFor";
import type { KubernetesNode } from "../../kubernetes/node";
import { ApiServers, DOWN_MS } from "./apiServers";
import { isKubernetesRefusal, seenOfKubernetes } from "./askKubernetes";
import { KubernetesAccess } from "./kubernetesAccess";
import {
  cordonNode,
  DRAINED_FOR_CHANGE,
  findNode,
  findNodeByName,
  type NodeRequest,
  uncordonNode,
} from "./kubernetesNode";
import { PodEvictions } from "./podEvictions";

/** All choices for a drain that can't finish in time. */
export const WHEN_BLOCKED = ["fail", "proceed"] as const;

/** What happens to a change if the drain can't finish in time. */
export type WhenBlocked = (typeof WHEN_BLOCKED)[number];

/** A node to drain. */
export interface DrainRequest extends NodeRequest {
  readonly timeoutSeconds: number;
  readonly whenBlocked: WhenBlocked;
  /**
   * What happens if no API server runs on any of the machines for a minute, as they report: then
   * nothing can move pods. `proceed` warns and drains nothing, for a control plane machine whose
   * change may repair its API server. Default: `fail`, at the time limit.
   */
  readonly whenDown?: WhenBlocked;
  /** Reason recorded in the node while it is cordoned. Default: `change`. */
  readonly reason?: string;
}

/**
 * Cordons a machine's node and evicts its pods, as PodDisruptionBudgets allow. It is done when all
 * pods that can run elsewhere have ended. A node that isn't ready is left alone, with a warning,
 * because its kubelet ends no pods. A machine without a node has nothing to drain. Only Kubernetes
 * is asked, so an interrupted drain can continue.
 *
 * @returns whether the node is cordoned now, by this package
 * @throws Error at the deadline with `whenBlocked` of `fail`: it names pods and budgets, and the
 * node is uncordoned
 * @throws KubernetesApiError if the server refuses the administrator
 */
export async function drainNode(request: DrainRequest): Promise<boolean> {
  const { privateAddress, timeoutSeconds, progress } = request;
  const drain = new Drain(request);
  try {
    await waitFor<undefined>({
      what: `the node of machine ${privateAddress} to be drained`,
      deadlineMs: timeoutSeconds * 1_000,
      report: progress.report,
      isFatal: isKubernetesRefusal,
      probe: ({ signal }) => drain.look(signal),
    });
    return drain.hasCordoned;
  } catch (error) {
    const isLate = error instanceof WaitTimeoutError;
    const seen = isLate ? error.lastStatus : seenOfKubernetes(error);
    const blocked = `the node of machine ${privateAddress} was not drained within ${timeoutSeconds} s: ${seen}`;
    if (isLate && request.whenBlocked === "proceed") {
      progress.warn(
        `${blocked}. The change continues, because the drain's "whenBlocked" is "proceed"`,
      );
      return drain.hasCordoned;
    }
    if (drain.hasCordoned) {
      await uncordonNode(request);
    }
    if (!isLate) {
      throw error;
    }
    const remedy = drain.hasCordoned
      ? "Give the workload more replicas or loosen its budget, and run the command again"
      : "Run the command again when Kubernetes answers";
    throw new Error(
      `${blocked}. The machine was not changed. ${remedy}. To wait longer, increase the drain's "timeoutSeconds"; to continue anyway, set its "whenBlocked" to "proceed"`,
      { cause: error },
    );
  }
}

/** A drain, step by step. */
class Drain {
  hasCordoned = false;
  private access: KubernetesAccess | undefined;
  /** Known after the first look: a list of all nodes is long in a large cluster. */
  private name: string | undefined;
  private readonly evictions: PodEvictions;
  private readonly servers: ApiServers;

  constructor(private readonly request: DrainRequest) {
    this.evictions = new PodEvictions(request.progress.warn);
    this.servers = new ApiServers(request.controlPlanes, DOWN_MS);
  }

  async look(signal: AbortSignal): Promise<ProbeResult<undefined>> {
    try {
      this.access ??= await KubernetesAccess.open(this.request.controlPlanes, signal);
      const result = await this.lookAtNode(this.access, signal);
      this.servers.answered();
      return result;
    } catch (error) {
      if (isKubernetesRefusal(error)) {
        throw error;
      }
      // Another control plane machine may answer the next look.
      this.access = undefined;
      const { whenDown = "fail", privateAddress, controlPlanes, progress } = this.request;
      if (whenDown === "proceed" && (await this.servers.areDown(signal))) {
        progress.warn(
          `no API server runs on ${controlPlanes.map(({ node }) => node).join(", ")}, so the node of machine ${privateAddress} was not drained: nothing could move its pods. The change continues, because it may repair the API server`,
        );
        return { done: true, value: undefined };
      }
      return { done: false, status: seenOfKubernetes(error) };
    }
  }

  private async lookAtNode(
    access: KubernetesAccess,
    signal: AbortSignal,
  ): Promise<ProbeResult<undefined>> {
    const { progress, reason = DRAINED_FOR_CHANGE } = this.request;
    const node = await this.findNode(access, signal);
    if (node === undefined) {
      return { done: true, value: undefined };
    }
    const { name } = node;
    this.name = name;
    if (!node.isReady) {
      progress.warn(
        `the node ${name} isn't ready, so it was not drained: nothing on it would end its pods`,
      );
      return { done: true, value: undefined };
    }
    if (!this.hasCordoned) {
      await cordonNode(access, node, reason, signal);
      this.hasCordoned = true;
    }
    const { isEmpty, seen: status } = await this.evictions.evictFrom(access, name, signal);
    return isEmpty ? { done: true, value: undefined } : { done: false, status };
  }

  private findNode(
    access: KubernetesAccess,
    signal: AbortSignal,
  ): Promise<KubernetesNode | undefined> {
    return this.name === undefined
      ? findNode(access, this.request.privateAddress, signal)
      : findNodeByName(access, this.name, signal);
  }
}
