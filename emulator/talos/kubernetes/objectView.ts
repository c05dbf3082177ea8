import { textAt } from "../config/yamlPath";
import { budgetStatus } from "./disruptionBudget";
import {
  isTerminating,
  listAt,
  nameOf,
  namespaceOf,
  numberAt,
  objectAt,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { namespaceStatus } from "./namespaceEnd";
import { nodeObject } from "./nodeObject";
import { builtIn } from "./objectStore";
import { isOwnedBy, nodeNameOf, podView } from "./podStore";
import type { ResourceKind } from "./resources";
import { runsDaemon } from "./scheduler";
import { statefulSetCounts } from "./statefulSets";
import { mirrorPod, staticPods } from "./systemPods";

const podKind = builtIn("pods");
const replicaSetKind = builtIn("replicasets");

/** All objects of a kind in the API's form, with their current status. */
export function objectsOf(
  kind: ResourceKind,
  store: KubernetesStore,
  now: Date,
): readonly KubernetesObject[] {
  if (kind.plural === "nodes") {
    return store.nodes.map((node) => nodeObject(node, now));
  }
  const stored = store.objects.list(kind).map((object) => viewOf(kind, object, store, now));
  if (kind.plural !== "pods") {
    return stored;
  }
  const placeOf = (pod: KubernetesObject) => `${namespaceOf(pod)}/${nameOf(pod)}`;
  return [...stored, ...mirrorPods(store, now)].sort((one, other) =>
    placeOf(one) < placeOf(other) ? -1 : 1,
  );
}

/** The mirror pods of all static pods. */
export function mirrorPods(store: KubernetesStore, now: Date): KubernetesObject[] {
  return store.nodes.flatMap((node) => staticPods(node, now).map(mirrorPod));
}

/** A stored object in the API's form. */
export function viewOf(
  kind: ResourceKind,
  object: KubernetesObject,
  store: KubernetesStore,
  now: Date,
): KubernetesObject {
  switch (kind.plural) {
    case "pods":
      return podView(object, store.node(nodeNameOf(object) ?? ""), now).object;
    case "deployments":
      return { ...object, status: deploymentStatus(object, store, now) };
    case "replicasets":
      return { ...object, status: replicaSetStatus(object, store, now) };
    case "daemonsets":
      return { ...object, status: daemonSetStatus(object, store, now) };
    case "statefulsets":
      return { ...object, status: statefulSetStatus(object, store, now) };
    case "customresourcedefinitions":
      return { ...object, status: definitionStatus(object, store) };
    case "namespaces":
      return { ...object, status: namespaceStatus(object) };
    case "poddisruptionbudgets":
      return { ...object, status: budgetStatus(store, object, now) };
    default:
      return object;
  }
}

/** Until it is served, a definition has no conditions yet. Source: a real server of v1.37.2. */
function definitionStatus(definition: KubernetesObject, store: KubernetesStore): JsonObject {
  const lastTransitionTime = textAt(definition, "metadata", "creationTimestamp") ?? null;
  const isServed = store.objects.isEstablished(definition);
  const condition = (type: string, reason: string, message: string) => ({
    type,
    reason,
    message,
    lastTransitionTime,
    status: "True",
  });
  return {
    acceptedNames: isServed ? objectAt(definition, "spec", "names") : { kind: "", plural: "" },
    conditions: isServed
      ? [
          condition("NamesAccepted", "NoConflicts", "no conflicts found"),
          condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
        ]
      : null,
    storedVersions: listAt(definition, "spec", "versions").flatMap(
      (version) => textAt(version, "name") ?? [],
    ),
  };
}

interface Count {
  readonly all: number;
  readonly ready: number;
}

function countPods(owner: KubernetesObject, store: KubernetesStore, now: Date): Count {
  const live = store.objects
    .list(podKind)
    .filter((pod) => isOwnedBy(pod, owner) && !isTerminating(pod));
  const isReady = (pod: KubernetesObject) =>
    podView(pod, store.node(nodeNameOf(pod) ?? ""), now).isReady;
  return { all: live.length, ready: live.filter(isReady).length };
}

function seen(object: KubernetesObject): JsonObject {
  const observedGeneration = numberAt(object, "status", "observedGeneration");
  return observedGeneration === undefined ? {} : { observedGeneration };
}

/** Counts that Kubernetes leaves out if they are zero (`apps/v1`, `omitempty`). */
function unlessZero(counts: Readonly<Record<string, number>>): JsonObject {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

function replicaSetStatus(set: KubernetesObject, store: KubernetesStore, now: Date): JsonObject {
  const { all, ready } = countPods(set, store, now);
  return {
    ...seen(set),
    replicas: all,
    ...unlessZero({
      fullyLabeledReplicas: all,
      readyReplicas: ready,
      availableReplicas: ready,
    }),
  };
}

function deploymentStatus(
  deployment: KubernetesObject,
  store: KubernetesStore,
  now: Date,
): JsonObject {
  const sets = store.objects.list(replicaSetKind).filter((set) => isOwnedBy(set, deployment));
  const template = JSON.stringify(objectAt(deployment, "spec", "template", "spec"));
  const counts = sets.map((set) => ({
    ...countPods(set, store, now),
    isCurrent: JSON.stringify(objectAt(set, "spec", "template", "spec")) === template,
  }));
  const sum = (list: readonly Count[], key: keyof Count) =>
    list.reduce((total, count) => total + count[key], 0);
  const replicas = sum(counts, "all");
  const ready = sum(counts, "ready");
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  const isAvailable = ready >= wanted;
  const createdAt = textAt(deployment, "metadata", "creationTimestamp") ?? null;
  return {
    ...seen(deployment),
    ...unlessZero({
      replicas,
      updatedReplicas: sum(
        counts.filter(({ isCurrent }) => isCurrent),
        "all",
      ),
      readyReplicas: ready,
      availableReplicas: ready,
      unavailableReplicas: Math.max(0, wanted - ready),
    }),
    conditions: [
      {
        type: "Available",
        status: isAvailable ? "True" : "False",
        lastUpdateTime: createdAt,
        lastTransitionTime: createdAt,
        reason: isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        message: isAvailable
          ? "Deployment has minimum availability."
          : "Deployment does not have minimum availability.",
      },
    ],
  };
}

function statefulSetStatus(set: KubernetesObject, store: KubernetesStore, now: Date): JsonObject {
  const own = store.objects.list(podKind).filter((pod) => isOwnedBy(pod, set));
  const { replicas = 0, ...counts } = statefulSetCounts(
    set,
    own,
    (pod) => podView(pod, store.node(nodeNameOf(pod) ?? ""), now).isReady,
  );
  return { ...seen(set), replicas, ...unlessZero(counts) };
}

/**
 * Counts nodes, not pods: those that should run a pod, and of those the oldest pod, also one that
 * terminates. Source: Kubernetes v1.35, `pkg/controller/daemon`, `updateDaemonSetStatus`.
 */
function daemonSetStatus(set: KubernetesObject, store: KubernetesStore, now: Date): JsonObject {
  const generation = `${numberAt(set, "metadata", "generation") ?? 1}`;
  const template = objectAt(set, "spec", "template");
  const own = store.objects.list(podKind).filter((pod) => isOwnedBy(pod, set));
  const nodes = store.nodes.filter((node) => runsDaemon(template, node));
  const oldest = nodes.flatMap((node) => {
    const [first] = own
      .filter((pod) => nodeNameOf(pod) === node.name)
      .sort((one, other) => createdAt(one) - createdAt(other));
    return first === undefined ? [] : [{ pod: first, ...podView(first, node, now) }];
  });
  const ready = oldest.filter(({ isReady }) => isReady).length;
  const updated = oldest.filter(
    ({ pod }) => textAt(pod, "metadata", "labels", "pod-template-generation") === generation,
  );
  return {
    ...seen(set),
    currentNumberScheduled: oldest.length,
    desiredNumberScheduled: nodes.length,
    numberMisscheduled: 0,
    numberReady: ready,
    ...unlessZero({
      numberAvailable: ready,
      numberUnavailable: nodes.length - ready,
      updatedNumberScheduled: updated.length,
    }),
  };
}

function createdAt(pod: KubernetesObject): number {
  return Date.parse(textAt(pod, "metadata", "creationTimestamp") ?? "");
}
