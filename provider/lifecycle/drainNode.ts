import { type ProbeResult, waitFor, WaitTimeoutError } from "../api/waitFor";
import { clock } from "../clock";
import { KubernetesApiError } from "../kubernetes/kubernetesApi";
import { type DrainablePod, planEviction, podName } from "../kubernetes/planEviction";
import { isKubernetesRefusal, seenOfKubernetes } from "./askKubernetes";
import { KubernetesAccess } from "./kubernetesAccess";
import { cordonNode, findNode, isReady, type NodeRequest, uncordonNode } from "./kubernetesNode";

/** Every choice of what becomes of a change when pods can't be moved in time. */
export const WHEN_BLOCKED = ["fail", "proceed"] as const;

/** What becomes of a change when pods can't be moved in time. */
export type WhenBlocked = (typeof WHEN_BLOCKED)[number];

/** A node that is to be emptied. */
export interface DrainRequest extends NodeRequest {
  readonly timeoutSeconds: number;
  readonly whenBlocked: WhenBlocked;
}

/** How long to wait before an eviction that a budget forbids is tried again, as `kubectl drain` does (v1.35). */
const RETRY_EVICTION_MS = 5_000;

/** Kubernetes' answer where a budget forbids an eviction. */
const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;

/** How many pods a message names. */
const MOST_NAMED = 5;

/**
 * Keeps pods off a machine's node and has the API server evict those that are on it, which heeds
 * PodDisruptionBudgets. Done when all that can run elsewhere have ended. A node that isn't ready is left, with
 * a warning, as its kubelet ends no pods; a machine without a node has nothing to drain. All is asked of
 * Kubernetes, so a drain that was cut off goes on.
 *
 * @throws Error at the deadline with `whenBlocked` of `fail`: it names pods and budgets, and the node takes pods again
 * @throws KubernetesApiError when the server refuses the administrator
 */
export async function drainNode(request: DrainRequest): Promise<void> {
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
  } catch (error) {
    const isLate = error instanceof WaitTimeoutError;
    const seen = isLate ? error.lastSeen : seenOfKubernetes(error);
    const blocked = `the node of machine ${privateAddress} was not drained within ${timeoutSeconds} s: ${seen}`;
    if (isLate && request.whenBlocked === "proceed") {
      progress.warn(`${blocked}. The change goes on, as the drain's "whenBlocked" says`);
      return;
    }
    await uncordonNode(request);
    if (!isLate) {
      throw error;
    }
    throw new Error(
      `${blocked}. The machine was left as it is. Give the workload more replicas or loosen its budget, and run the command again. A longer "timeoutSeconds" of the drain waits longer; its "whenBlocked": "proceed" goes on and ends the pods`,
      { cause: error },
    );
  }
}

/** One drain, look by look. */
class Drain {
  private access: KubernetesAccess | undefined;
  private hasCordoned = false;
  private hasNamedUnmanaged = false;
  private readonly triedAt = new Map<string, number>();
  private readonly refusals = new Map<string, string>();

  constructor(private readonly request: DrainRequest) {}

  async look(signal: AbortSignal): Promise<ProbeResult<undefined>> {
    try {
      this.access ??= await KubernetesAccess.open(this.request.controlPlanes, signal);
      return await this.lookAtNode(this.access, signal);
    } catch (error) {
      if (isKubernetesRefusal(error)) {
        throw error;
      }
      // Another control plane machine may answer the next look.
      this.access = undefined;
      return { done: false, seen: seenOfKubernetes(error) };
    }
  }

  private async lookAtNode(
    access: KubernetesAccess,
    signal: AbortSignal,
  ): Promise<ProbeResult<undefined>> {
    const node = await findNode(access, this.request.privateAddress, signal);
    if (node === undefined) {
      return { done: true, value: undefined };
    }
    const { name } = node.metadata;
    if (!isReady(node)) {
      this.request.progress.warn(
        `the node ${name} isn't ready, so it was not drained: nothing on it would end its pods`,
      );
      return { done: true, value: undefined };
    }
    if (!this.hasCordoned) {
      await cordonNode(access, node, signal);
      this.hasCordoned = true;
    }
    const selector = encodeURIComponent(`spec.nodeName=${name}`);
    const { items } = await access.read<{ readonly items: readonly DrainablePod[] }>(
      `/api/v1/pods?fieldSelector=${selector}`,
      signal,
    );
    const { evict, ending, unmanaged } = planEviction(items);
    this.nameUnmanaged(name, unmanaged);
    await Promise.all(evict.map((pod) => this.evict(access, pod, signal)));
    return evict.length + ending.length === 0
      ? { done: true, value: undefined }
      : { done: false, seen: this.describe(evict, ending) };
  }

  /** Asks for an eviction, unless a budget forbade it a moment ago. */
  private async evict(
    access: KubernetesAccess,
    pod: DrainablePod,
    signal: AbortSignal,
  ): Promise<void> {
    const key = podName(pod);
    const triedAt = this.triedAt.get(key);
    if (triedAt !== undefined && clock.now() - triedAt < RETRY_EVICTION_MS) {
      return;
    }
    this.triedAt.set(key, clock.now());
    const { namespace, name } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
    const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
    try {
      await access.send({ method: "POST", path, body }, signal);
      this.refusals.delete(key);
    } catch (error) {
      if (!(error instanceof KubernetesApiError)) {
        throw error;
      }
      if (error.status === TOO_MANY_REQUESTS) {
        this.refusals.set(key, error.causes[0] ?? error.message);
      } else if (error.status !== NOT_FOUND) {
        throw error;
      }
    }
  }

  private nameUnmanaged(node: string, pods: readonly DrainablePod[]): void {
    if (pods.length > 0 && !this.hasNamedUnmanaged) {
      this.hasNamedUnmanaged = true;
      this.request.progress.warn(
        `these pods stay on the node ${node}, as no controller would make them anew: ${listOf(pods.map(podName))}`,
      );
    }
  }

  private describe(evict: readonly DrainablePod[], ending: readonly DrainablePod[]): string {
    const blocked = evict.flatMap((pod) => {
      const refusal = this.refusals.get(podName(pod));
      return refusal === undefined ? [] : [`${podName(pod)} (${refusal})`];
    });
    const others = evict.length + ending.length - blocked.length;
    return [
      ...(blocked.length > 0 ? [`can't be evicted: ${listOf(blocked)}`] : []),
      ...(others > 0 ? [`still ending: ${others} pods`] : []),
    ].join("; ");
  }
}

function listOf(texts: readonly string[]): string {
  const more = texts.length - MOST_NAMED;
  return `${texts.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
