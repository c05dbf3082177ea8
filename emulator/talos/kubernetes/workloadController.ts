import { createHash } from "node:crypto";
import { textAt, valueAt } from "../config/yamlPath";
import { scaled } from "./disruptionBudget";
import {
  controllerOf,
  nameOf,
  namespaceOf,
  numberAt,
  objectAt,
  uidOf,
  type KubernetesObject,
} from "./kubernetesObject";
import { endNamespaces, namespaceEnds } from "./namespaceEnd";
import type { NodeRecord } from "./nodeRecord";
import { withDefaults } from "./objectDefaults";
import { builtIn, keyOf, typeOf, type ObjectStore } from "./objectStore";
import {
  bound,
  courseOf,
  isLive,
  isOwnedBy,
  nodeNameOf,
  ownerReference,
  podOf,
  podView,
  type PodPace,
} from "./podStore";
import { admitPod, hasRuntime } from "./runtimeClass";
import { place, runsDaemon } from "./scheduler";
import { isOfTemplate, revisionOf, stepStatefulSet } from "./statefulSets";
import { KubernetesFailure } from "./statusObject";

const pods = builtIn("pods");
const deployments = builtIn("deployments");
const replicaSets = builtIn("replicasets");
const daemonSets = builtIn("daemonsets");
const statefulSets = builtIn("statefulsets");
/** What creates pods. */
const OWNERS = [replicaSets, daemonSets, statefulSets];
const budgets = builtIn("poddisruptionbudgets");

/** The maximum number of rounds, for controllers that never settle. */
const MOST_ROUNDS = 50;

/** The store of the controlled workloads. */
interface WorkloadStore {
  readonly objects: ObjectStore;
  readonly nodes: readonly NodeRecord[];
  readonly pace: PodPace;
  /** Whether etcd accepts writes. */
  readonly isWritable: boolean;
  /** Increases with every write. */
  readonly resourceVersion: number;
  node(name: string): NodeRecord | undefined;
  endPod(pod: KubernetesObject, graceSeconds: number, now: Date): void;
}

/** The simulated kubelets and controllers that create pods of workloads. */
export class WorkloadController {
  private readonly store: WorkloadStore;
  private readonly ready = new Map<string, boolean>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;

  constructor(store: WorkloadStore) {
    this.store = store;
  }

  /** Schedules a check of the changes. */
  wake(delayMs = this.store.pace.controllerMs): void {
    const dueAt = Date.now() + delayMs;
    if (this.timer && this.dueAt <= dueAt) {
      return;
    }
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.dueAt = Infinity;
      this.run();
    }, delayMs).unref();
  }

  /** Creates and deletes pods until they match the workloads, as far as possible now. */
  run(): void {
    const store = this.store;
    if (!store.isWritable) {
      return;
    }
    const now = new Date();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const before = store.resourceVersion;
      endNamespaces(store.objects, now);
      this.endPods(now);
      for (const deployment of store.objects.list(deployments)) {
        this.roll(deployment, now);
      }
      for (const set of store.objects.list(replicaSets)) {
        this.replicate(set, now);
      }
      for (const set of store.objects.list(daemonSets)) {
        this.spread(set, now);
      }
      for (const set of store.objects.list(statefulSets)) {
        this.number(set, now);
      }
      this.schedule(now);
      this.observe();
      this.tellReadiness(now);
      if (store.resourceVersion === before) {
        break;
      }
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    this.dueAt = Infinity;
    const next = this.nextEvent(now);
    if (next !== undefined) {
      this.wake(Math.max(1, next - Date.now()));
    }
  }

  /** Deletes pods whose grace period has ended, and those of deleted nodes and owners. */
  private endPods(now: Date): void {
    const { objects } = this.store;
    const owners = new Set(OWNERS.flatMap((kind) => objects.list(kind).map(uidOf)));
    for (const pod of objects.list(pods)) {
      const nodeName = nodeNameOf(pod);
      const node = nodeName === undefined ? undefined : this.store.node(nodeName);
      const owner = controllerOf(pod);
      const isOrphan =
        owner !== undefined &&
        OWNERS.some(({ kind }) => kind === owner.kind) &&
        !owners.has(owner.uid);
      const { endsAt } = courseOf(pod);
      if (nodeName !== undefined && !node) {
        objects.remove(pods, keyOf(pod));
      } else if (isOrphan && isLive(pod)) {
        this.end(pod, now);
      }
      // A lost kubelet reports no end of a pod.
      else if (endsAt !== undefined && endsAt <= now.getTime() && node?.lostAt === undefined) {
        objects.remove(pods, keyOf(pod));
      }
    }
    const deploymentIds = new Set(objects.list(deployments).map(uidOf));
    for (const set of objects.list(replicaSets)) {
      const owner = controllerOf(set);
      if (owner?.kind === "Deployment" && !deploymentIds.has(owner.uid)) {
        objects.remove(replicaSets, keyOf(set));
      }
    }
  }

  /** Terminates a pod; one without a node is deleted at once. */
  private end(pod: KubernetesObject, now: Date): void {
    const grace = numberAt(pod, "spec", "terminationGracePeriodSeconds") ?? 30;
    this.store.endPod(pod, grace, now);
  }

  /**
   * Rolls a Deployment's ReplicaSets: as many pods of the current template as allowed, and the rest
   * of older ones.
   */
  private roll(deployment: KubernetesObject, now: Date): void {
    const { objects } = this.store;
    const template = objectAt(deployment, "spec", "template");
    const replicas = numberAt(deployment, "spec", "replicas") ?? 1;
    const hash = createHash("sha256").update(JSON.stringify(template)).digest("hex").slice(0, 10);
    const own = objects.list(replicaSets).filter((set) => isOwnedBy(set, deployment));
    const current = own.find(
      (set) => textAt(set, "metadata", "labels", "pod-template-hash") === hash,
    );
    const older = own.filter((set) => set !== current);
    const limits = objectAt(deployment, "spec", "strategy", "rollingUpdate");
    const surge = scaled(limits.maxSurge ?? "25%", replicas);
    const missing = Math.floor(shareOf(limits.maxUnavailable ?? "25%", replicas));
    const wanted = (set: KubernetesObject) => numberAt(set, "spec", "replicas") ?? 0;
    const olderTotal = older.reduce((sum, set) => sum + wanted(set), 0);
    const least = Math.max(0, Math.min(replicas, replicas + surge - olderTotal));
    const size = current ? Math.max(least, Math.min(wanted(current), replicas)) : least;
    if (!current) {
      objects.put(replicaSets, replicaSetOf(deployment, hash, size));
    } else if (wanted(current) !== size) {
      objects.put(replicaSets, resized(current, size));
    }
    if (olderTotal === 0) {
      return;
    }
    const available = own.reduce((sum, set) => sum + this.available(set, now), 0);
    let spare = available - (replicas - Math.max(missing, surge > 0 ? 0 : 1));
    for (const set of older) {
      const dead = wanted(set) - this.available(set, now);
      const fewer = Math.min(wanted(set), Math.max(0, dead) + Math.max(0, spare));
      spare -= Math.max(0, fewer - Math.max(0, dead));
      if (fewer > 0) {
        objects.put(replicaSets, resized(set, wanted(set) - fewer));
      }
    }
  }

  private available(owner: KubernetesObject, now: Date): number {
    return this.podsOf(owner).filter((pod) => isLive(pod) && this.isReady(pod, now)).length;
  }

  /**
   * Creates the pods that a ReplicaSet lacks. Surplus pods are deleted, those that don't run first.
   */
  private replicate(set: KubernetesObject, now: Date): void {
    const live = this.podsOf(set).filter(isLive);
    const missing = (numberAt(set, "spec", "replicas") ?? 0) - live.length;
    for (let count = 0; count < missing; count += 1) {
      this.create(podOf(set, objectAt(set, "spec", "template")));
    }
    const rank = (pod: KubernetesObject) =>
      nodeNameOf(pod) === undefined ? 0 : this.isReady(pod, now) ? 2 : 1;
    const last = [...live].sort((one, other) => rank(one) - rank(other));
    for (const pod of last.slice(0, Math.max(0, -missing))) {
      this.end(pod, now);
    }
  }

  /**
   * One pod on each node of a DaemonSet. As many pods of another template as allowed are replaced.
   */
  private spread(set: KubernetesObject, now: Date): void {
    const template = objectAt(set, "spec", "template");
    const generation = `${numberAt(set, "metadata", "generation") ?? 1}`;
    const own = this.podsOf(set);
    const nodes = this.store.nodes.filter((node) => runsDaemon(template, node));
    for (const pod of own.filter(isLive)) {
      if (!nodes.some(({ name }) => name === nodeNameOf(pod))) {
        this.end(pod, now);
      }
    }
    const onNode = ({ name }: NodeRecord) => own.filter((pod) => nodeNameOf(pod) === name);
    for (const node of nodes.filter((each) => onNode(each).length === 0)) {
      const pod = podOf(set, template);
      const labels = {
        ...objectAt(pod, "metadata", "labels"),
        "controller-revision-hash": revisionOf(template),
        "pod-template-generation": generation,
      };
      const spec = { ...objectAt(pod, "spec"), nodeName: node.name };
      this.create({ ...pod, metadata: { ...pod.metadata, labels }, spec });
    }
    if (textAt(set, "spec", "updateStrategy", "type") === "OnDelete") {
      return;
    }
    const limit = valueAt(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1;
    const isReady = (pod: KubernetesObject) => isLive(pod) && this.isReady(pod, now);
    let spare =
      Math.max(1, scaled(limit, nodes.length)) -
      nodes.filter((node) => !onNode(node).some(isReady)).length;
    const stale = own.filter((pod) => isLive(pod) && !isOfTemplate(pod, template));
    // Replacing pods that don't run costs no availability.
    for (const pod of stale.filter((each) => !isReady(each))) {
      this.end(pod, now);
    }
    for (const pod of stale.filter(isReady)) {
      if (spare <= 0) {
        break;
      }
      spare -= 1;
      this.end(pod, now);
    }
  }

  /** Takes a StatefulSet one step further. */
  private number(set: KubernetesObject, now: Date): void {
    const { create, end } = stepStatefulSet(set, this.podsOf(set), (pod) => this.isReady(pod, now));
    create.forEach((pod) => {
      this.create(pod);
    });
    end.forEach((pod) => {
      this.end(pod, now);
    });
  }

  /** Binds pods to nodes, or records why it can't. */
  private schedule(now: Date): void {
    const { objects, nodes, pace } = this.store;
    for (const pod of objects.list(pods).filter(isLive)) {
      const nodeName = nodeNameOf(pod);
      if (courseOf(pod).readyAt !== undefined) {
        continue;
      }
      if (nodeName !== undefined) {
        const node = this.store.node(nodeName);
        // A pod whose runtime its node lacks waits for it.
        if (node !== undefined && hasRuntime(objects, pod, node)) {
          objects.put(pods, bound(pod, nodeName, now, pace));
        }
        continue;
      }
      const placement = place(pod, nodes, objects.list(pods), now);
      if ("node" in placement) {
        objects.put(pods, { ...pod, spec: { ...objectAt(pod, "spec"), nodeName: placement.node } });
      } else if (textAt(pod, "status", "unschedulable") !== placement.message) {
        const status = { ...objectAt(pod, "status"), unschedulable: placement.message };
        objects.put(pods, { ...pod, status });
      }
    }
  }

  /** Records the observed generation of workloads. */
  private observe(): void {
    const { objects } = this.store;
    for (const kind of [deployments, ...OWNERS, budgets]) {
      for (const object of objects.list(kind)) {
        const observedGeneration = numberAt(object, "metadata", "generation") ?? 1;
        const status = objectAt(object, "status");
        if (status.observedGeneration === observedGeneration) {
          continue;
        }
        objects.put(kind, { ...object, status: { ...status, observedGeneration } });
      }
    }
  }

  /** Notifies watches about pods whose readiness changed, and about their workloads. */
  private tellReadiness(now: Date): void {
    const { objects } = this.store;
    const seen = new Set<string>();
    for (const pod of objects.list(pods)) {
      const uid = uidOf(pod);
      seen.add(uid);
      const isReady = this.isReady(pod, now);
      if (this.ready.get(uid) === isReady) {
        continue;
      }
      this.ready.set(uid, isReady);
      objects.touch(pods, keyOf(pod));
      this.touchOwners(pod);
    }
    for (const uid of [...this.ready.keys()].filter((each) => !seen.has(each))) {
      this.ready.delete(uid);
    }
  }

  private touchOwners(object: KubernetesObject): void {
    const owner = controllerOf(object);
    const kind = [deployments, ...OWNERS].find((each) => each.kind === owner?.kind);
    if (!owner || !kind) {
      return;
    }
    const key = { namespace: namespaceOf(object), name: owner.name };
    const found = this.store.objects.find(kind, key);
    this.store.objects.touch(kind, key);
    if (found) {
      this.touchOwners(found);
    }
  }

  /** The time of the next change without a client's action. */
  private nextEvent(now: Date): number | undefined {
    const times = this.store.objects.list(pods).flatMap((pod) => {
      const { readyAt, endsAt } = courseOf(pod);
      return [
        ...(endsAt !== undefined ? [Math.max(endsAt, now.getTime() + 1)] : []),
        ...(readyAt !== undefined && readyAt > now.getTime() ? [readyAt] : []),
      ];
    });
    const lost = this.store.nodes.some(({ lostAt }) => lostAt !== undefined);
    const due = [
      ...times.filter((time) => !lost || time > now.getTime() + 1),
      ...namespaceEnds(this.store.objects),
    ];
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  private podsOf(owner: KubernetesObject): KubernetesObject[] {
    return this.store.objects.list(pods).filter((pod) => isOwnedBy(pod, owner));
  }

  private isReady(pod: KubernetesObject, now: Date): boolean {
    const node = this.store.node(nodeNameOf(pod) ?? "");
    return podView(pod, node, now).isReady;
  }

  /** Creates a pod. One that the API server refuses is tried again with the next change. */
  private create(pod: KubernetesObject): void {
    const { objects } = this.store;
    try {
      objects.put(pods, withDefaults(admitPod(objects, pod)));
    } catch (error) {
      if (!(error instanceof KubernetesFailure)) {
        throw error;
      }
    }
  }
}

function replicaSetOf(deployment: KubernetesObject, hash: string, replicas: number) {
  const template = objectAt(deployment, "spec", "template");
  const labels = { ...objectAt(template, "metadata", "labels"), "pod-template-hash": hash };
  const selector = objectAt(deployment, "spec", "selector");
  const matchLabels = { ...objectAt(selector, "matchLabels"), "pod-template-hash": hash };
  return {
    ...typeOf(replicaSets),
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...objectAt(template, "metadata"), labels } },
    },
    status: {},
  };
}

function resized(set: KubernetesObject, replicas: number): KubernetesObject {
  return { ...set, spec: { ...objectAt(set, "spec"), replicas } };
}

function shareOf(value: unknown, all: number): number {
  return typeof value === "number" ? value : (Number(String(value).replace("%", "")) / 100) * all;
}
