import { textAt } from "../config/yamlPath";
import { budgetsOf, budgetState } from "./disruptionBudget";
import {
  isTerminating,
  nameOf,
  numberAt,
  objectAt,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { builtIn, type ObjectKey } from "./objectStore";
import { checkPreconditions, notFound } from "./objectWrites";
import { nodeNameOf, podView } from "./podStore";
import { KubernetesFailure } from "./statusObject";

const podKind = builtIn("pods");
const BLOCKED = "Cannot evict pod as it would violate the pod's disruption budget.";
/**
 * The retry time in the server's answer while the budget's controller hasn't seen the budget yet.
 */
const RETRY_AFTER_SECONDS = 10;

/**
 * Deletes a pod unless a PodDisruptionBudget forbids it. A pod that isn't running, or is
 * terminating, needs no budget. Throws `TooManyRequests` if the budget allows none, `NotFound`
 * without a pod, and `InternalError` for a pod with two budgets.
 *
 * Source: kubernetes v1.35, `registry/core/pod/storage/eviction.go`; answers of a real server.
 */
export function evict(
  store: KubernetesStore,
  key: ObjectKey,
  options: JsonObject,
  { isDryRun, now }: { readonly isDryRun: boolean; readonly now: Date },
): void {
  const pod = store.objects.find(podKind, key);
  if (!pod) {
    throw notFound(podKind, key.name);
  }
  checkPreconditions(podKind, pod, options);
  const view = podView(pod, store.node(nodeNameOf(pod) ?? ""), now);
  if (view.phase === "Running" && !isTerminating(pod)) {
    checkBudget(store, pod, view.isReady, now);
  }
  const grace =
    numberAt(options, "gracePeriodSeconds") ??
    numberAt(pod, "spec", "terminationGracePeriodSeconds") ??
    30;
  if (!isDryRun) {
    store.endPod(pod, grace, now);
  }
}

function checkBudget(
  store: KubernetesStore,
  pod: KubernetesObject,
  isReady: boolean,
  now: Date,
): void {
  const [budget, second] = budgetsOf(store, pod);
  if (!budget) {
    return;
  }
  if (second) {
    throw new KubernetesFailure(
      500,
      "",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const name = nameOf(budget);
  const state = budgetState(store, budget, now);
  const { currentHealthy, desiredHealthy, disruptionsAllowed } = state;
  if (!isReady) {
    const policy = textAt(budget, "spec", "unhealthyPodEvictionPolicy");
    const isEnough = currentHealthy >= desiredHealthy && desiredHealthy > 0;
    if (policy === "AlwaysAllow" || isEnough) {
      return;
    }
  }
  const seen = numberAt(objectAt(budget, "status"), "observedGeneration") ?? 0;
  if (seen < (numberAt(budget, "metadata", "generation") ?? 1)) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (disruptionsAllowed === 0) {
    throw tooMany(
      currentHealthy <= desiredHealthy
        ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
        : `The disruption budget ${name} does not allow evicting pods currently`,
    );
  }
}

function tooMany(message: string, details: object = {}): KubernetesFailure {
  const causes = [{ reason: "DisruptionBudget", message }];
  return new KubernetesFailure(429, "TooManyRequests", BLOCKED, { causes, ...details });
}
