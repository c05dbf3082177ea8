import { randomUUID } from "node:crypto";
import { textAt, valueAt } from "../config/yamlPath";
import { podStatus, type ContainerStatus } from "./containerStatus";
import {
  controllerOf,
  isTerminating,
  labelsOf,
  listAt,
  nameOf,
  numberAt,
  objectAt,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import { readinessOf, seconds } from "./nodeObject";
import { addressAt, sizeOf } from "./nodeRanges";
import type { NodeRecord } from "./nodeRecord";

/** The timing of pods, in milliseconds. */
export interface PodPace {
  /** Until the controllers and the scheduler see a change. Real: a fraction of a second. */
  readonly controllerMs: number;
  /** From the binding of a pod until it is ready. Real: seconds. */
  readonly startMs: number;
  /** Until a terminating pod has ended, unless its grace period is shorter. Real: up to 30 s. */
  readonly stopMs: number;
}

/** The simulated course of a pod, kept in its stored status: times in milliseconds since 1970. */
interface PodCourse {
  /** `undefined` until it is bound to a node that can start it. */
  readonly readyAt: number | undefined;
  readonly endsAt: number | undefined;
}

/** A pod in the API's form. */
export interface PodView {
  readonly object: KubernetesObject;
  readonly node: NodeRecord | undefined;
  readonly container: ContainerStatus;
  readonly isReady: boolean;
  readonly phase: "Pending" | "Running";
}

/** The name of the node a pod is bound to. */
export function nodeNameOf(pod: KubernetesObject): string | undefined {
  return textAt(pod, "spec", "nodeName");
}

/** The course of a stored pod. */
export function courseOf(pod: KubernetesObject): PodCourse {
  return {
    readyAt: numberAt(pod, "status", "readyAt"),
    endsAt: numberAt(pod, "status", "endsAt"),
  };
}

/** A pod that is bound to a node. */
export function bound(
  pod: KubernetesObject,
  nodeName: string,
  now: Date,
  { startMs }: PodPace,
): KubernetesObject {
  const status = { ...objectAt(pod, "status"), readyAt: now.getTime() + startMs };
  return { ...pod, spec: { ...objectAt(pod, "spec"), nodeName }, status };
}

/** A pod that is terminating. */
export function ending(
  pod: KubernetesObject,
  graceSeconds: number,
  now: Date,
  { stopMs }: PodPace,
): KubernetesObject {
  const before = courseOf(pod).endsAt ?? Infinity;
  const endsAt = Math.min(before, now.getTime() + Math.min(graceSeconds * 1000, stopMs));
  const metadata: JsonObject = {
    ...pod.metadata,
    deletionTimestamp:
      textAt(pod, "metadata", "deletionTimestamp") ??
      seconds(new Date(now.getTime() + graceSeconds * 1000)),
    deletionGracePeriodSeconds: graceSeconds,
  };
  return { ...pod, metadata, status: { ...objectAt(pod, "status"), endsAt } };
}

/** A pod from its template and owner. */
export function podOf(owner: KubernetesObject, template: JsonObject): KubernetesObject {
  const prefix = `${nameOf(owner)}-`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...objectAt(template, "metadata"),
      name: `${prefix}${nameSuffix()}`,
      generateName: prefix,
      namespace: textAt(owner, "metadata", "namespace") ?? "",
      ownerReferences: [ownerReference(owner)],
    },
    spec: objectAt(template, "spec"),
    status: {},
  };
}

/** An owner reference to an object's controller. */
export function ownerReference(owner: KubernetesObject): JsonObject {
  const { apiVersion, kind } = owner;
  return {
    apiVersion,
    kind,
    name: nameOf(owner),
    uid: textAt(owner, "metadata", "uid") ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Five random characters, as Kubernetes adds them to names. */
export function nameSuffix(): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  const bytes = Buffer.from(randomUUID().replaceAll("-", ""), "hex").subarray(0, 5);
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length] ?? "").join("");
}

/** A stored pod with its status at a moment. It is ready after its start time on a ready node. */
export function podView(pod: KubernetesObject, node: NodeRecord | undefined, now: Date): PodView {
  const { readyAt } = courseOf(pod);
  const container = textAt(listAt(pod, "spec", "containers")[0], "name") ?? "";
  if (!node) {
    const object = { ...pod, status: unscheduled(pod) };
    const status = containerStatusOf(pod, undefined, now);
    return { object, node: undefined, container: status, isReady: false, phase: "Pending" };
  }
  const readiness = readinessOf(node, now);
  // One without a time has a node that can't start it yet.
  const startsAt = readyAt ?? Infinity;
  const hasStarted = now.getTime() >= startsAt && readiness.reason !== "KubeletNotReady";
  const isReady = hasStarted && readiness.status === "True";
  const status = containerStatusOf(pod, hasStarted ? new Date(startsAt) : undefined, now, isReady);
  const hostNetwork = valueAt(pod, "spec", "hostNetwork") === true;
  const place = {
    hostIP: node.internalAddress,
    podIP: hostNetwork ? node.internalAddress : podAddress(pod, node),
  };
  const first = podStatus(container, status, place);
  const names = listAt(pod, "spec", "containers").map((each) => ({
    name: textAt(each, "name") ?? "",
    image: textAt(each, "image") ?? "",
  }));
  const statuses = "containerStatuses" in first ? first.containerStatuses : [];
  const object = {
    ...pod,
    status: {
      ...first,
      containerStatuses: names.flatMap((each) => statuses.map((one) => ({ ...one, ...each }))),
    },
  };
  return { object, node, container: status, isReady, phase: hasStarted ? "Running" : "Pending" };
}

function containerStatusOf(
  pod: KubernetesObject,
  startedAt: Date | undefined,
  now: Date,
  isReady = false,
): ContainerStatus {
  const createdAt = textAt(pod, "metadata", "creationTimestamp") ?? seconds(now);
  return {
    image: textAt(listAt(pod, "spec", "containers")[0], "image") ?? "",
    podUid: textAt(pod, "metadata", "uid") ?? "",
    podStartedAt: createdAt,
    annotations: {},
    state: startedAt
      ? { running: { startedAt: seconds(startedAt) } }
      : { waiting: { reason: "ContainerCreating" } },
    restartCount: 0,
    started: startedAt !== undefined,
    ready: isReady,
    readyChangedAt: seconds(startedAt ?? now),
  };
}

function unscheduled(pod: KubernetesObject): JsonObject {
  const message = textAt(pod, "status", "unschedulable");
  const condition = {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: textAt(pod, "metadata", "creationTimestamp") ?? null,
    reason: "Unschedulable",
    message: message ?? "",
  };
  return {
    phase: "Pending",
    qosClass: "BestEffort",
    ...(message === undefined ? {} : { conditions: [condition] }),
  };
}

/** An address in the node's range, derived from the pod's uid. */
function podAddress(pod: KubernetesObject, node: NodeRecord): string {
  const digits = (textAt(pod, "metadata", "uid") ?? "").replace(/\D/g, "");
  const [range] = node.podCidrs;
  if (range === undefined) {
    return "";
  }
  // The first addresses are those of the network and of the bridge.
  const offset = 2 + (Number(digits.slice(0, 6)) % 250);
  return addressAt(range, BigInt(offset) % sizeOf(range));
}

/** Whether a pod counts as a replica: it is not terminating. */
export function isLive(pod: KubernetesObject): boolean {
  return !isTerminating(pod);
}

/** Whether an object created a pod. */
export function isOwnedBy(pod: KubernetesObject, owner: KubernetesObject): boolean {
  return controllerOf(pod)?.uid === textAt(owner, "metadata", "uid");
}

/** The app of a pod: its first container. */
export function appOf(pod: KubernetesObject): string {
  return textAt(listAt(pod, "spec", "containers")[0], "name") ?? labelsOf(pod)["k8s-app"] ?? "";
}
