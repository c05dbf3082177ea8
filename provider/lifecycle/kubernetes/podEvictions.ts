import { clock } from "../../base/clock";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { type DrainablePod, planEviction, podName } from "../../kubernetes/planEviction";
import type { KubernetesAccess } from "./kubernetesAccess";

/** The pause before a retry of an eviction that a budget forbids, as in `kubectl drain` (v1.35). */
const RETRY_MS = 5_000;

/** The API server's status code if a budget forbids an eviction. */
const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;

/** The maximum number of pods in a message. */
const MOST_NAMED = 5;

/** The pods that remain on a node. */
export interface Evicted {
  /** Whether all pods that can run elsewhere have ended. */
  readonly isEmpty: boolean;
  /** The reason why pods remain, in a few words. */
  readonly seen: string;
}

/** Evicts pods from nodes, step by step. */
export class PodEvictions {
  private readonly triedAt = new Map<string, number>();
  private readonly refusals = new Map<string, string>();
  private readonly named = new Set<string>();

  constructor(private readonly warn: (line: string) => void) {}

  /**
   * Asks the API server once to evict the pods of a node, unless a budget refused it a moment ago.
   *
   * @throws KubernetesApiError if the server refuses for another reason than a budget
   */
  async evictFrom(access: KubernetesAccess, node: string, signal: AbortSignal): Promise<Evicted> {
    const { evict, ending, unmanaged } = planEviction(await podsOn(access, node, signal));
    this.nameUnmanaged(node, unmanaged);
    await Promise.all(evict.map((pod) => this.evict(access, pod, signal)));
    return {
      isEmpty: evict.length + ending.length === 0,
      seen: this.describe(evict, ending),
    };
  }

  /**
   * Tries to evict each pod of a node, which changes nothing.
   *
   * @returns the pods that a budget keeps, each with why; undefined without any
   */
  async blockedOn(
    access: KubernetesAccess,
    node: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { evict } = planEviction(await podsOn(access, node, signal));
    await Promise.all(evict.map((pod) => this.evict(access, pod, signal, "?dryRun=All")));
    const blocked = this.blockedOf(evict);
    return blocked.length === 0 ? undefined : listOf(blocked);
  }

  private async evict(
    access: KubernetesAccess,
    pod: DrainablePod,
    signal: AbortSignal,
    query = "",
  ): Promise<void> {
    const key = podName(pod);
    const triedAt = this.triedAt.get(key);
    if (triedAt !== undefined && clock.now() - triedAt < RETRY_MS) {
      return;
    }
    this.triedAt.set(key, clock.now());
    const { namespace, name } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction${query}`;
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
    if (pods.length > 0 && !this.named.has(node)) {
      this.named.add(node);
      this.warn(
        `these pods stay on the node ${node}, because no controller would recreate them: ${listOf(pods.map(podName))}`,
      );
    }
  }

  private blockedOf(evict: readonly DrainablePod[]): readonly string[] {
    return evict.flatMap((pod) => {
      const refusal = this.refusals.get(podName(pod));
      return refusal === undefined ? [] : [`${podName(pod)} (${refusal})`];
    });
  }

  private describe(evict: readonly DrainablePod[], ending: readonly DrainablePod[]): string {
    const blocked = this.blockedOf(evict);
    const others = evict.length + ending.length - blocked.length;
    return [
      ...(blocked.length > 0 ? [`can't be evicted: ${listOf(blocked)}`] : []),
      ...(others > 0 ? [`still ending: ${others} pods`] : []),
    ].join("; ");
  }
}

async function podsOn(
  access: KubernetesAccess,
  node: string,
  signal: AbortSignal,
): Promise<readonly DrainablePod[]> {
  const selector = encodeURIComponent(`spec.nodeName=${node}`);
  const { items } = await access.read<{ readonly items: readonly DrainablePod[] }>(
    `/api/v1/pods?fieldSelector=${selector}`,
    signal,
  );
  return items;
}

function listOf(texts: readonly string[]): string {
  const more = texts.length - MOST_NAMED;
  return `${texts.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
