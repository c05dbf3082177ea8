import { ageOf, seconds } from "./nodeObject";
import type { KubernetesStore } from "./kubernetesStore";
import { coreDnsReplicas, systemPods, type SystemPod } from "./systemPods";

/** A DaemonSet or Deployment, with the cells kubectl prints of it. */
export interface WorkloadRow {
  readonly cells: readonly string[];
  readonly object: ReturnType<typeof workloadObject>;
}

/** Columns of `kubectl get daemonsets`. */
export const daemonSetColumns = [
  ["Name", 0],
  ["Desired", 0],
  ["Current", 0],
  ["Ready", 0],
  ["Up-to-date", 0],
  ["Available", 0],
  ["Age", 0],
] as const;

/** Columns of `kubectl get deployments`. */
export const deploymentColumns = [
  ["Name", 0],
  ["Ready", 0],
  ["Up-to-date", 0],
  ["Available", 0],
  ["Age", 0],
] as const;

/** kube-proxy and flannel, on every node. */
export function daemonSets(store: KubernetesStore, now: Date): WorkloadRow[] {
  return grouped(systemPods(store, now), "daemon").map(([app, pods]) => {
    const desired = pods.length;
    const ready = pods.filter(({ isReady }) => isReady).length;
    return {
      cells: [app, ...[desired, desired, ready, desired, ready].map(String), age(store, now)],
      object: workloadObject(store, pods, {
        kind: "DaemonSet",
        name: app,
        spec: {},
        status: {
          currentNumberScheduled: desired,
          desiredNumberScheduled: desired,
          numberAvailable: ready,
          numberMisscheduled: 0,
          numberReady: ready,
          updatedNumberScheduled: desired,
        },
      }),
    };
  });
}

/** coredns. */
export function deployments(store: KubernetesStore, now: Date): WorkloadRow[] {
  return grouped(systemPods(store, now), "replica").map(([app, pods]) => {
    const ready = pods.filter(({ isReady }) => isReady).length;
    return {
      cells: [app, `${ready}/${coreDnsReplicas}`, `${pods.length}`, `${ready}`, age(store, now)],
      object: workloadObject(store, pods, {
        kind: "Deployment",
        name: app,
        spec: { replicas: coreDnsReplicas },
        status: { replicas: pods.length, readyReplicas: ready, availableReplicas: ready },
      }),
    };
  });
}

function grouped(pods: readonly SystemPod[], kind: SystemPod["kind"]): [string, SystemPod[]][] {
  const byApp = new Map<string, SystemPod[]>();
  for (const pod of pods) {
    if (pod.kind === kind) byApp.set(pod.app, [...(byApp.get(pod.app) ?? []), pod]);
  }
  return [...byApp];
}

function workloadObject(
  store: KubernetesStore,
  pods: readonly SystemPod[],
  rest: { kind: string; name: string; spec: object; status: object },
) {
  const [sample] = pods;
  const labels = { "k8s-app": sample?.labels["k8s-app"] ?? rest.name };
  return {
    kind: rest.kind,
    apiVersion: "apps/v1",
    metadata: {
      name: rest.name,
      namespace: "kube-system",
      uid: rest.name,
      resourceVersion: `${store.resourceVersion}`,
      creationTimestamp: seconds(store.createdAt),
      generation: 1,
      labels,
    },
    spec: {
      ...rest.spec,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: sample?.container ?? rest.name, image: sample?.image ?? "" }],
        },
      },
    },
    status: { observedGeneration: 1, ...rest.status },
  };
}

function age(store: KubernetesStore, now: Date): string {
  return ageOf(store.createdAt, now);
}
