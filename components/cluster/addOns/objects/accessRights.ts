import type { KubernetesObject } from "./kubernetesObject";

/** What may be done with which objects, in the words of Kubernetes' RBAC. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A service account, and what it may do. */
export interface AccountRights {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** What its role in the whole cluster is called. Default: as the account. */
  readonly clusterRole?: string;
  /** In the whole cluster. */
  readonly everywhere: readonly AccessRule[];
  /** In its own namespace. Default: nothing more. */
  readonly inNamespace?: readonly AccessRule[];
  /** It may read how the API server knows who calls, as extensions of the API have to. Default: false. */
  readonly readsApiAuthentication?: boolean;
}

const READ = ["get", "list", "watch"];

/** A rule: what may be done with resources of a group, the core's being `""`. */
export function may(
  verbs: readonly string[],
  apiGroup: string,
  resources: readonly string[],
  resourceNames?: readonly string[],
): AccessRule {
  return { apiGroups: [apiGroup], resources, ...(resourceNames && { resourceNames }), verbs };
}

/** A rule: resources of a group may be looked at. */
export function mayRead(apiGroup: string, ...resources: string[]): AccessRule {
  return may(READ, apiGroup, resources);
}

/** Rules by which one of several pods leads: with a lease of that name. */
export function mayLead(lease: string): AccessRule[] {
  return [
    may(["create"], "coordination.k8s.io", ["leases"]),
    may(["get", "update", "patch"], "coordination.k8s.io", ["leases"], [lease]),
  ];
}

/** A service account with roles of its name. */
export function accountWith(rights: AccountRights): KubernetesObject[] {
  const { name, namespace, labels, clusterRole = name, everywhere, inNamespace } = rights;
  const { readsApiAuthentication } = rights;
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const rbac = "rbac.authorization.k8s.io";
  const apiVersion = `${rbac}/v1`;
  const bind = (kind: string, role: string, metadata: object) => ({
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name, labels, ...metadata },
    roleRef: { apiGroup: rbac, kind, name: role },
    subjects,
  });
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace, labels } },
    { apiVersion, kind: "ClusterRole", metadata: { name: clusterRole, labels }, rules: everywhere },
    bind("ClusterRole", clusterRole, {}),
    ...(inNamespace === undefined
      ? []
      : [
          { apiVersion, kind: "Role", metadata: { name, namespace, labels }, rules: inNamespace },
          bind("Role", name, { namespace }),
        ]),
    ...(readsApiAuthentication === true
      ? [
          bind("Role", "extension-apiserver-authentication-reader", {
            name: `${name}-authentication-reader`,
            namespace: "kube-system",
          }),
        ]
      : []),
  ];
}
