import { isMapping } from "../../../provider/config";
import type { Json, JsonObject } from "./kubernetesObject";

/**
 * Lists whose items are merged one by one, with their key fields: for server-side apply
 * (`x-kubernetes-list-map-keys`) and for strategic merge patches (`x-kubernetes-patch-merge-key`).
 * Every other list is replaced as a whole. Source: the OpenAPI document of Kubernetes v1.35.
 */
const applyKeys: Readonly<Record<string, readonly string[]>> = {
  conditions: ["type"],
  containers: ["name"],
  env: ["name"],
  ephemeralContainers: ["name"],
  hostAliases: ["ip"],
  imagePullSecrets: ["name"],
  initContainers: ["name"],
  ownerReferences: ["uid"],
  secrets: ["name"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
};

const patchKeys: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(applyKeys).map(([name, [key = ""]]) => [name, key])),
  addresses: "type",
  taints: "key",
};

/** Maps that server-side apply replaces as a whole. */
const atomicMaps = [
  "configMapKeyRef",
  "fieldRef",
  "nodeSelector",
  "resourceFieldRef",
  "roleRef",
  "secretKeyRef",
  "selector",
];

/** The key fields of a list's items for server-side apply; `undefined` for an atomic list. */
export function applyKeysOf(field: string, items: readonly Json[]): readonly string[] | undefined {
  if (field === "ports" && items.length > 0) {
    const isOfContainer = items.every((item) => isMapping(item) && "containerPort" in item);
    const isOfService = items.every((item) => isMapping(item) && "port" in item);
    if (isOfContainer) {
      return ["containerPort", "protocol"];
    }
    return isOfService ? ["port", "protocol"] : undefined;
  }
  const keys = applyKeys[field];
  const hasKeys = items.every((item) => isMapping(item) && keys?.every((key) => key in item));
  return keys && hasKeys ? keys : undefined;
}

/** The key field of a list's items for strategic merge patches. */
export function patchKeyOf(field: string, items: readonly Json[]): string | undefined {
  if (field !== "ports") {
    return patchKeys[field];
  }
  return items.some((item) => isMapping(item) && "containerPort" in item)
    ? "containerPort"
    : "port";
}

/** Whether server-side apply replaces a map as a whole. */
export function isAtomicMap(field: string): boolean {
  return atomicMaps.includes(field);
}

/** An item's key in the form of managed fields: `k:{"name":"web"}`. */
export function itemKey(item: JsonObject, keys: readonly string[]): string {
  const defaults: Readonly<Record<string, string>> = { protocol: "TCP" };
  const entries = keys.map((key) => [key, item[key] ?? defaults[key] ?? null] as const);
  return `k:${JSON.stringify(Object.fromEntries(entries))}`;
}
