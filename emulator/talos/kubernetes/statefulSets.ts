import { createHash } from "node:crypto";
import { textAt } from "../config/yamlPath";
import {
  type JsonObject,
  type KubernetesObject,
  nameOf,
  numberAt,
  objectAt,
} from "./kubernetesObject";
import { isLive, podOf } from "./podStore";

/** What a StatefulSet's controller does next. */
export interface StatefulSetStep {
  readonly create: readonly KubernetesObject[];
  readonly end: readonly KubernetesObject[];
}

const REVISION = "controller-revision-hash";
const NOTHING: StatefulSetStep = { create: [], end: [] };

/** The name of a template's revision. */
export function revisionOf(template: JsonObject): string {
  return createHash("sha256").update(JSON.stringify(template)).digest("hex").slice(0, 10);
}

/** Whether a pod is of a template's revision. */
export function isOfTemplate(pod: KubernetesObject, template: JsonObject): boolean {
  return textAt(pod, "metadata", "labels", REVISION) === revisionOf(template);
}

/**
 * The next step of a StatefulSet. Its pods have numbers. They come in order, each when those before it are
 * ready, and change from the last one down to the partition, one at a time. A pod that isn't ready holds up
 * all others, also on the way back. Pods may come at once by `podManagementPolicy: Parallel`.
 *
 * Source: Kubernetes v1.35, `pkg/controller/statefulset/stateful_set_control.go`, `updateStatefulSet`.
 *
 * @param own its pods, also those that end
 */
export function stepStatefulSet(
  set: KubernetesObject,
  own: readonly KubernetesObject[],
  isReady: (pod: KubernetesObject) => boolean,
): StatefulSetStep {
  const template = objectAt(set, "spec", "template");
  const replicas = replicasOf(set);
  const isOrdered = textAt(set, "spec", "podManagementPolicy") !== "Parallel";
  const numbered = new Map(own.map((pod) => [numberOf(pod), pod]));
  const create: KubernetesObject[] = [];
  for (let number = 0; number < replicas; number += 1) {
    const pod = numbered.get(number);
    if (pod === undefined) {
      create.push(numberedPod(set, template, number));
    }
    if (isOrdered && (pod === undefined || !isLive(pod) || !isReady(pod))) {
      return { create, end: [] };
    }
  }
  const last = [...own].sort((one, other) => numberOf(other) - numberOf(one));
  const surplus = last.filter((pod) => numberOf(pod) >= replicas && isLive(pod));
  if (create.length > 0 || surplus.length > 0) {
    return { create, end: isOrdered ? surplus.slice(0, 1) : surplus };
  }
  const strategy = objectAt(set, "spec", "updateStrategy");
  if (strategy.type === "OnDelete") {
    return NOTHING;
  }
  const partition = numberAt(strategy, "rollingUpdate", "partition") ?? 0;
  for (const pod of last.filter((each) => numberOf(each) >= partition)) {
    if (isLive(pod) && !isOfTemplate(pod, template)) {
      return { create: [], end: [pod] };
    }
    if (!isLive(pod) || !isReady(pod)) {
      return NOTHING;
    }
  }
  return NOTHING;
}

/** The counts in the status of a StatefulSet. */
export function statefulSetCounts(
  set: KubernetesObject,
  own: readonly KubernetesObject[],
  isReady: (pod: KubernetesObject) => boolean,
): Readonly<Record<string, number>> {
  const template = objectAt(set, "spec", "template");
  const ready = own.filter((pod) => isLive(pod) && isReady(pod)).length;
  return {
    replicas: own.length,
    readyReplicas: ready,
    availableReplicas: ready,
    updatedReplicas: own.filter((pod) => isLive(pod) && isOfTemplate(pod, template)).length,
  };
}

function replicasOf(set: KubernetesObject): number {
  return numberAt(set, "spec", "replicas") ?? 1;
}

function numberOf(pod: KubernetesObject): number {
  return Number(/\d+$/.exec(nameOf(pod))?.[0] ?? Infinity);
}

function numberedPod(
  set: KubernetesObject,
  template: JsonObject,
  number: number,
): KubernetesObject {
  const pod = podOf(set, template);
  const name = `${nameOf(set)}-${number}`;
  const labels = {
    ...objectAt(pod, "metadata", "labels"),
    [REVISION]: revisionOf(template),
    "statefulset.kubernetes.io/pod-name": name,
  };
  return { ...pod, metadata: { ...pod.metadata, name, labels } };
}
