import { textAt, valueAt } from "../config/yamlPath";
import {
  controllerOf,
  isTerminating,
  labelsOf,
  matchesSelector,
  nameOf,
  namespaceOf,
  numberAt,
  uidOf,
  type Json,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import type { NodeRecord } from "./nodeRecord";
import { builtIn, type ObjectStore } from "./objectStore";
import { podView } from "./podStore";

/** The current and required number of pods of a PodDisruptionBudget. */
export interface BudgetState {
  readonly expectedPods: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
}

/** The cluster of the budgets. */
interface BudgetedObjects {
  readonly objects: ObjectStore;
  node(name: string): NodeRecord | undefined;
}

const budgetKind = builtIn("poddisruptionbudgets");
const podKind = builtIn("pods");
const replicaSetKind = builtIn("replicasets");

/** The budgets of a pod. */
export function budgetsOf(store: BudgetedObjects, pod: KubernetesObject): KubernetesObject[] {
  return store.objects
    .list(budgetKind)
    .filter(
      (budget) =>
        namespaceOf(budget) === namespaceOf(pod) &&
        matchesSelector(valueAt(budget, "spec", "selector"), labelsOf(pod)),
    );
}

/**
 * The state of a budget. A pod is healthy if it is ready and not terminating. Sources: kubernetes
 * v1.35, `controller/disruption/disruption.go`; answers of a real server.
 */
export function budgetState(
  store: BudgetedObjects,
  budget: KubernetesObject,
  now: Date,
): BudgetState {
  const selector = valueAt(budget, "spec", "selector");
  const pods = store.objects
    .list(podKind)
    .filter(
      (pod) => namespaceOf(pod) === namespaceOf(budget) && matchesSelector(selector, labelsOf(pod)),
    );
  const currentHealthy = pods.filter((pod) => {
    const node = store.node(textAt(pod, "spec", "nodeName") ?? "");
    return !isTerminating(pod) && podView(pod, node, now).isReady;
  }).length;
  const [minimum, maximum] = [
    valueAt(budget, "spec", "minAvailable"),
    valueAt(budget, "spec", "maxUnavailable"),
  ];
  const isOfScale = maximum !== undefined || typeof minimum === "string";
  const expectedPods = isOfScale ? scaleOf(store, pods) : pods.length;
  const desiredHealthy =
    maximum === undefined
      ? scaled(minimum ?? 1, expectedPods)
      : Math.max(0, expectedPods - scaled(maximum, expectedPods));
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed };
}

/** The status of a budget; empty until its controller has seen it. */
export function budgetStatus(
  store: BudgetedObjects,
  budget: KubernetesObject,
  now: Date,
): JsonObject {
  const observedGeneration = numberAt(budget, "status", "observedGeneration");
  if (observedGeneration === undefined) {
    return { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  }
  const state = budgetState(store, budget, now);
  const isAllowed = state.disruptionsAllowed > 0;
  return {
    observedGeneration,
    ...state,
    conditions: [
      {
        type: "DisruptionAllowed",
        status: isAllowed ? "True" : "False",
        observedGeneration,
        lastTransitionTime: textAt(budget, "metadata", "creationTimestamp") ?? null,
        reason: isAllowed ? "SufficientPods" : "InsufficientPods",
        message: "",
      },
    ],
  };
}

/** The number of pods that the owners of some pods want; a pod without an owner counts as one. */
function scaleOf(store: BudgetedObjects, pods: readonly KubernetesObject[]): number {
  const sets = store.objects.list(replicaSetKind);
  const owners = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    const set = sets.find((each) => uidOf(each) === owner?.uid);
    owners.set(owner?.uid ?? `${namespaceOf(pod)}/${nameOf(pod)}`, replicasOf(set));
  }
  return [...owners.values()].reduce((sum, count) => sum + count, 0);
}

function replicasOf(set: KubernetesObject | undefined): number {
  return set === undefined ? 1 : (numberAt(set, "spec", "replicas") ?? 1);
}

/** A number, or a percentage of all, rounded up. */
export function scaled(value: Json, all: number): number {
  if (typeof value === "number") {
    return value;
  }
  return Math.ceil((Number(JSON.stringify(value).replace(/["%]/g, "")) / 100) * all);
}
