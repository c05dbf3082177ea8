import type { KubernetesObject } from "../../../provider/kubernetes";
import { SYSTEM_NAMESPACE } from "./addOnScope";

/** What a workload of an add-on is called, and which pods are its own. */
export interface WorkloadNames {
  readonly name: string;
  /** Default: that of system components. */
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The labels of its pods. Default: its own. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Annotations of its pods. Default: none. */
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

/** Pods of an add-on on some machines. */
export function deploymentOf(
  names: WorkloadNames,
  scale: { readonly replicas: number; readonly strategy?: object },
  pod: object,
): KubernetesObject {
  return workload("Deployment", names, { ...scale, ...podsOf(names, pod) });
}

/**
 * A Deployment on control planes. Each pod needs ports of its machine. So an update stops the old
 * pod first, as there may be no other machine.
 */
export function controlPlaneDeployment(
  names: WorkloadNames,
  replicas: number,
  pod: object,
): KubernetesObject {
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  return deploymentOf(names, { replicas, strategy }, pod);
}

/**
 * A pod of an add-on on each machine that it fits.
 *
 * @param maxUnavailable pods that an update stops at once. Default: one
 */
export function daemonSetOf(
  names: WorkloadNames,
  pod: object,
  maxUnavailable?: string,
): KubernetesObject {
  const { selector, template } = podsOf(names, pod);
  const updateStrategy = {
    type: "RollingUpdate",
    ...(maxUnavailable !== undefined && { rollingUpdate: { maxUnavailable } }),
  };
  return workload("DaemonSet", names, { selector, updateStrategy, template });
}

function workload(
  kind: "DaemonSet" | "Deployment",
  { name, namespace = SYSTEM_NAMESPACE, labels }: WorkloadNames,
  spec: object,
): KubernetesObject {
  return { apiVersion: "apps/v1", kind, metadata: { name, namespace, labels }, spec };
}

function podsOf({ labels, podLabels = labels, podAnnotations }: WorkloadNames, pod: object) {
  const metadata = {
    labels: podLabels,
    ...(podAnnotations !== undefined && { annotations: podAnnotations }),
  };
  return {
    selector: { matchLabels: podLabels },
    template: { metadata, spec: pod },
  };
}
