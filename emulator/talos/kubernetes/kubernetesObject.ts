import { type ConfigDocument, isMapping, type YamlValue } from "../../../provider/config";
import { textAt, textMapAt, valueAt } from "../config/yamlPath";

/** A value of JSON. */
export type Json = YamlValue;

/** An object of JSON. */
export type JsonObject = ConfigDocument;

/** An object of the Kubernetes API: plain data with `apiVersion`, `kind` and `metadata`. */
export interface KubernetesObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: JsonObject;
}

/** Whether a body has the fields of every API object. */
export function isKubernetesObject(value: Json | undefined): value is KubernetesObject {
  return (
    isMapping(value) &&
    textAt(value, "apiVersion") !== undefined &&
    textAt(value, "kind") !== undefined &&
    isMapping(value.metadata)
  );
}

/** Its name; empty while it has none. */
export function nameOf(object: JsonObject): string {
  return textAt(object, "metadata", "name") ?? "";
}

/** Its namespace; empty for a cluster-wide object. */
export function namespaceOf(object: JsonObject): string {
  return textAt(object, "metadata", "namespace") ?? "";
}

/** Its uid, which a later object of the same name doesn't have. */
export function uidOf(object: JsonObject): string {
  return textAt(object, "metadata", "uid") ?? "";
}

/** Its labels. */
export function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMapAt(object, "metadata", "labels");
}

/** The list at a path; empty without one. */
export function listAt(root: Json | undefined, ...keys: string[]): readonly Json[] {
  const value = valueAt(root, ...keys);
  return Array.isArray(value) ? value : [];
}

/** The object at a path; empty without one. */
export function objectAt(root: Json | undefined, ...keys: string[]): JsonObject {
  const value = valueAt(root, ...keys);
  return isMapping(value) ? value : {};
}

/** The number at a path. */
export function numberAt(root: Json | undefined, ...keys: string[]): number | undefined {
  const value = valueAt(root, ...keys);
  return typeof value === "number" ? value : undefined;
}

/** Its controller, for example a pod's ReplicaSet. */
export function controllerOf(
  object: JsonObject,
): { readonly kind: string; readonly name: string; readonly uid: string } | undefined {
  const owner = listAt(object, "metadata", "ownerReferences").find(
    (reference) => valueAt(reference, "controller") === true,
  );
  if (owner === undefined) {
    return undefined;
  }
  return {
    kind: textAt(owner, "kind") ?? "",
    name: textAt(owner, "name") ?? "",
    uid: textAt(owner, "uid") ?? "",
  };
}

/** Whether it is terminating. */
export function isTerminating(object: JsonObject): boolean {
  return textAt(object, "metadata", "deletionTimestamp") !== undefined;
}

/** Whether labels match a `LabelSelector`; an empty one matches everything. */
export function matchesSelector(
  selector: Json | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  const isEqual = Object.entries(textMapAt(selector, "matchLabels")).every(
    ([key, value]) => labels[key] === value,
  );
  return (
    isEqual &&
    listAt(selector, "matchExpressions").every((expression) => {
      const key = textAt(expression, "key") ?? "";
      const has = Object.hasOwn(labels, key);
      const isAmong = has && listAt(expression, "values").includes(labels[key] ?? "");
      switch (textAt(expression, "operator")) {
        case "In":
          return isAmong;
        case "NotIn":
          return !isAmong;
        case "Exists":
          return has;
        case "DoesNotExist":
          return !has;
        default:
          return false;
      }
    })
  );
}

/** A manifest as Talos renders it: its objects, and an id that determines the order. */
export interface RenderedManifest {
  readonly id: string;
  readonly objects: readonly KubernetesObject[];
}
