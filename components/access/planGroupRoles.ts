import type { InlineManifest } from "../../provider";
import type { KubernetesObject } from "../../provider/kubernetes";
import { manifestOf } from "../addOns/common/manifestOf";
import type { ClusterAccessArgs } from "./accessArgs";

/** Name of the manifest. */
export const ACCESS_MANIFEST = "access";

/** Namespaces that every cluster has. */
const OWN_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];

const RBAC = "rbac.authorization.k8s.io";
const labels = { "app.kubernetes.io/name": ACCESS_MANIFEST };

/**
 * The manifest that binds groups to roles; undefined without groups. It has the namespaces too: without one,
 * Talos would apply no manifest after this one (v1.12.1, `k8s/manifest_apply.go`).
 */
export function planGroupRoles({ groups = {} }: ClusterAccessArgs = {}):
  InlineManifest | undefined {
  const entries = Object.entries(groups).sort(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) {
    return undefined;
  }
  const named = new Set(entries.flatMap(([, { namespaces = [] }]) => namespaces));
  const made = [...named].filter((name) => !OWN_NAMESPACES.includes(name)).sort();
  const objects = [
    // Without a label of ours: a namespace belongs to those who work in it.
    ...made.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    ...entries.flatMap(([group, { clusterRole, namespaces }]) =>
      namespaces === undefined
        ? [binding("ClusterRoleBinding", group, clusterRole)]
        : namespaces.map((namespace) => binding("RoleBinding", group, clusterRole, namespace)),
    ),
  ];
  return { name: ACCESS_MANIFEST, contents: manifestOf(objects) };
}

/** The role is part of the name, because Kubernetes lets nobody change the role of a binding. */
function binding(
  kind: "ClusterRoleBinding" | "RoleBinding",
  group: string,
  clusterRole: string,
  namespace?: string,
): KubernetesObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: {
      name: `access:${nameFor(group)}:${clusterRole}`,
      ...(namespace !== undefined && { namespace }),
      labels,
    },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: clusterRole },
    subjects: [{ apiGroup: RBAC, kind: "Group", name: group }],
  };
}

/** A group's name as part of an object's, which allows neither `/` nor `%`; other names stay other names. */
function nameFor(group: string): string {
  return group.replaceAll(/[^A-Za-z0-9.:-]/gu, (character) =>
    [...Buffer.from(character, "utf8")]
      .map((byte) => `_${byte.toString(16).padStart(2, "0")}`)
      .join(""),
  );
}
