import { textAt } from "../config/yamlPath";
import {
  namespaceOf,
  nameOf,
  numberAt,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import { seconds } from "./nodeObject";
import { builtIn, keyOf, type ObjectStore } from "./objectStore";
import type { PodPace } from "./podStore";

const namespaces = builtIn("namespaces");

/**
 * Begins to delete a namespace: what is in it goes at once, and the namespace stays, terminating, until its
 * pods would have ended. Source: a real server; Kubernetes v1.35, `pkg/controller/namespace/deletion`.
 */
export function beginEnd(
  objects: ObjectStore,
  namespace: KubernetesObject,
  now: Date,
  { stopMs }: PodPace,
): void {
  for (const kind of objects.kinds.filter(({ namespaced }) => namespaced)) {
    for (const object of objects.list(kind)) {
      if (namespaceOf(object) === nameOf(namespace)) {
        objects.remove(kind, keyOf(object));
      }
    }
  }
  if (!isEnding(namespace)) {
    objects.put(namespaces, {
      ...namespace,
      metadata: { ...namespace.metadata, deletionTimestamp: seconds(now) },
      status: { phase: "Terminating", endsAt: now.getTime() + stopMs },
    });
  }
}

/** Whether a namespace takes no new objects any more. */
export function isEnding(namespace: KubernetesObject): boolean {
  return textAt(namespace, "metadata", "deletionTimestamp") !== undefined;
}

/** Removes namespaces whose end has come. */
export function endNamespaces(objects: ObjectStore, now: Date): void {
  for (const namespace of objects.list(namespaces)) {
    if ((endsAt(namespace) ?? Infinity) <= now.getTime()) {
      objects.remove(namespaces, keyOf(namespace));
    }
  }
}

/** When namespaces end, in milliseconds since 1970. */
export function namespaceEnds(objects: ObjectStore): readonly number[] {
  return objects.list(namespaces).flatMap((namespace) => endsAt(namespace) ?? []);
}

/** A namespace's status in the API's form. */
export function namespaceStatus(namespace: KubernetesObject): JsonObject {
  return { phase: isEnding(namespace) ? "Terminating" : "Active" };
}

function endsAt(namespace: KubernetesObject): number | undefined {
  return numberAt(namespace, "status", "endsAt");
}
