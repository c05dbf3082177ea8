import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import { readNodes } from "../../kubernetes/node";
import { isBlockedByNodes, missingOfRollout, type RolledOutPod } from "../../kubernetes/rollout";
import type { ClusterObjects, ClusterWork } from "./clusterObjects";

/** The longest rollout of a workload. */
const ROLLOUT_MS = 600_000;

/** The interval of checks for lost nodes, and the time that a rollout takes anyway. */
const LOST_NODES_MS = 30_000;

/** How long lost nodes alone may block a rollout: longer than a machine takes to reboot. */
const BLOCKED_MS = 180_000;

/**
 * Waits until all pods of a Deployment, DaemonSet or StatefulSet are new and available.
 *
 * A DaemonSet wants a pod on each node, also on one whose machine is gone. Such a pod takes the
 * place of the one that may be unavailable (Kubernetes v1.35, `pkg/controller/daemon/update.go`).
 * The update that replaces a lost machine deletes its node only at its end. So where nodes that
 * aren't ready alone have blocked a DaemonSet for three minutes, this warns and returns.
 *
 * @throws WaitTimeoutError after ten minutes, or at the deadline
 */
export async function awaitRollout(
  cluster: ClusterObjects,
  object: KubernetesObject,
  { deadline, progress }: ClusterWork,
): Promise<void> {
  const name = describeObject(object);
  const lost = new LostNodes(cluster);
  await waitFor<undefined>({
    what: `${name} to be rolled out`,
    deadlineMs: Math.min(deadline - clock.now(), ROLLOUT_MS),
    report: progress.report,
    probe: async () => {
      const resource = await cluster.resourceOf(object);
      const now = resource && (await cluster.find(resource, object.metadata));
      if (now === undefined) {
        return { done: false, status: `${name} is gone` };
      }
      const missing = missingOfRollout(now);
      if (missing === undefined) {
        return { done: true, value: undefined };
      }
      await lost.look(now, missing);
      if (lost.blockedMs >= BLOCKED_MS) {
        progress.warn(
          `${missing}. Only nodes that aren't ready block the rollout: ${lost.names.join(", ")}. Kubernetes continues it once they are ready or deleted. This update goes on, and deletes the nodes of machines that it replaces. ${lost.command}`,
        );
        return { done: true, value: undefined };
      }
      const status =
        lost.names.length === 0
          ? missing
          : `${missing}; not ready: ${lost.names.join(", ")}. ${lost.command}`;
      return { done: false, status };
    },
  });
}

/** Finds nodes that aren't ready, and for how long they alone have blocked a rollout. */
class LostNodes {
  names: readonly string[] = [];
  private askedAt = clock.now();
  private blocked: { readonly missing: string; readonly since: number } | undefined;

  constructor(private readonly cluster: ClusterObjects) {}

  get command(): string {
    return `Where the machine is gone: kubectl delete node ${this.names.join(" ")}`;
  }

  get blockedMs(): number {
    return this.blocked === undefined ? 0 : this.askedAt - this.blocked.since;
  }

  /** Asks Kubernetes from time to time. A rollout that gets further isn't blocked. */
  async look(workload: KubernetesObject, missing: string): Promise<void> {
    if (clock.now() - this.askedAt < LOST_NODES_MS) {
      return;
    }
    this.askedAt = clock.now();
    const nodes = await readNodes((path) => this.body(path));
    this.names = nodes.filter(({ isReady }) => !isReady).map(({ name }) => name);
    const pods = this.names.length > 0 ? await this.podsBeside(workload) : [];
    if (!isBlockedByNodes(workload, pods, this.names)) {
      this.blocked = undefined;
    } else if (this.blocked?.missing !== missing) {
      this.blocked = { missing, since: this.askedAt };
    }
  }

  private async podsBeside({ metadata }: KubernetesObject): Promise<readonly RolledOutPod[]> {
    const body = await this.body(`/api/v1/namespaces/${metadata.namespace}/pods`);
    return (JSON.parse(body) as { readonly items: readonly RolledOutPod[] }).items;
  }

  private async body(path: string): Promise<string> {
    return (await this.cluster.send({ method: "GET", path })) ?? '{"items":[]}';
  }
}
