import type { JsonObject, KubernetesObject } from "./kubernetesObject";

/** The API group of roles and their bindings. */
export const rbac = "rbac.authorization.k8s.io";

/** A ClusterRoleBinding. */
export function clusterRoleBinding(
  name: string,
  role: string,
  subjects: readonly JsonObject[],
  metadata: JsonObject = {},
): KubernetesObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { ...metadata, name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
    subjects: [...subjects],
  };
}

/** A ClusterRole. */
export function clusterRole(
  name: string,
  metadata: JsonObject,
  rules: readonly JsonObject[],
): KubernetesObject {
  const apiVersion = `${rbac}/v1`;
  return { apiVersion, kind: "ClusterRole", metadata: { ...metadata, name }, rules: [...rules] };
}

/** A rule of a role. */
export function rule(
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
): JsonObject {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}
