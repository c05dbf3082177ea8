import type { Taint } from "../config/machineFacts";
import { textAt, textMapAt } from "../config/yamlPath";
import { controllerOf, listAt, type Json, type KubernetesObject } from "./kubernetesObject";
import { nodeObject, readinessOf } from "./nodeObject";
import type { NodeRecord } from "./nodeRecord";
import { nodeNameOf } from "./podStore";

/** The node of a pod, or the scheduler's message why there is none. */
export type Placement = { readonly node: string } | { readonly message: string };

/**
 * The node for a pod. It must be ready and not cordoned, and the pod must tolerate its taints.
 * Nodes with the fewest pods of the same owner, and then the fewest pods, come first. Resources and
 * affinities are ignored.
 */
export function place(
  pod: KubernetesObject,
  nodes: readonly NodeRecord[],
  pods: readonly KubernetesObject[],
  now: Date,
): Placement {
  const refusals = nodes.map((node) => refusalOf(pod, node, now));
  const able = nodes.filter((_, index) => refusals[index] === undefined);
  const owner = controllerOf(pod)?.uid;
  const burden = ({ name }: NodeRecord) => {
    const here = pods.filter((other) => nodeNameOf(other) === name);
    const same = here.filter((other) => owner !== undefined && controllerOf(other)?.uid === owner);
    return same.length * 1_000 + here.length;
  };
  const [best] = [...able].sort((one, other) => burden(one) - burden(other));
  if (best) {
    return { node: best.name };
  }
  if (nodes.length === 0) {
    return { message: "no nodes available to schedule pods" };
  }
  const counts = new Map<string, number>();
  for (const refusal of refusals) {
    if (refusal !== undefined) {
      counts.set(refusal, (counts.get(refusal) ?? 0) + 1);
    }
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return {
    message: `0/${nodes.length} nodes are available: ${reasons.join(", ")}. preemption: 0/${nodes.length} nodes are available: ${nodes.length} Preemption is not helpful for scheduling.`,
  };
}

/** Kubernetes' own taints that pods of DaemonSets tolerate. */
const daemonTaints = [
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/memory-pressure",
  "node.kubernetes.io/pid-pressure",
  "node.kubernetes.io/unschedulable",
  "node.kubernetes.io/network-unavailable",
];

/** Whether a DaemonSet runs a pod on a node. Cordoned and not ready nodes count too. */
export function runsDaemon(template: Json, node: NodeRecord): boolean {
  return (
    selects(template, node) &&
    node.taints.every(
      (taint) =>
        daemonTaints.includes(taint.key) || isHarmless(taint) || tolerates(template, taint),
    )
  );
}

function refusalOf(pod: KubernetesObject, node: NodeRecord, now: Date): string | undefined {
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  if (node.isCordoned && !tolerates(pod, cordon)) {
    return "node(s) were unschedulable";
  }
  const isReady = readinessOf(node, now).status === "True";
  const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  const taints = [...node.taints, ...(isReady ? [] : [notReady])];
  const isTolerated = taints.every((taint) => isHarmless(taint) || tolerates(pod, taint));
  if (!isTolerated) {
    return "node(s) had untolerated taint(s)";
  }
  return selects(pod, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

function isHarmless({ effect }: Taint): boolean {
  return effect === "PreferNoSchedule";
}

function selects(pod: Json, node: NodeRecord): boolean {
  const labels: Readonly<Record<string, string>> = nodeObject(node, node.createdAt).metadata.labels;
  return Object.entries(textMapAt(pod, "spec", "nodeSelector")).every(
    ([key, value]) => labels[key] === value,
  );
}

function tolerates(pod: Json, taint: Taint): boolean {
  return listAt(pod, "spec", "tolerations").some((toleration) => {
    const key = textAt(toleration, "key");
    const effect = textAt(toleration, "effect");
    const isAny = textAt(toleration, "operator") === "Exists";
    return (
      (key === taint.key || (key === undefined && isAny)) &&
      (effect === undefined || effect === taint.effect) &&
      (isAny || (textAt(toleration, "value") ?? "") === (taint.value ?? ""))
    );
  });
}
