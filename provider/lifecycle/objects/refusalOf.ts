import type { KubernetesObject } from "../../kubernetes/kubernetesObject";

/**
 * What API servers say of fields that keep their value. Source: Kubernetes v1.34 to v1.37, `pkg/apis`, the file
 * `validation/validation.go` of each group.
 */
const FIXED =
  /immutable|cannot change roleRef|may not change once set|may not be changed in an update|updates to .+ are forbidden|pod updates may not change/;

/** What to do where the server never changes a field. Default: `RECREATE`. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  CustomResourceDefinition:
    "take the change back: deleting it would delete all objects of its kind",
  PersistentVolume: "take the change back, or use another name: its data may go with it",
  PersistentVolumeClaim:
    "take the change back, or use another name: deleting it would delete its data",
  StatefulSet:
    'delete it with "kubectl delete --cascade=orphan", which keeps its pods and their volumes, and the next run recreates it',
};
const RECREATE = "delete it with kubectl, and the next run recreates it";

/** The server's reason without secrets, and a way out if it forbids the change. */
export function refusalOf({ kind }: KubernetesObject, message: string): string {
  const told =
    kind === "Secret" ? message.replace(/Value:[^}]*|(?<=Invalid value: )[^:]+/g, "…") : message;
  return FIXED.test(message) ? `${told}; ${WAYS_OUT[kind] ?? RECREATE}` : told;
}
