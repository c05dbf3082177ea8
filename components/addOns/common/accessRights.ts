import type { KubernetesObject } from "../../../provider/kubernetes";

/** A rule of Kubernetes' RBAC: verbs on resources of API groups. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A service account and its permissions. */
export interface AccountRights {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Name of its cluster role. Default: the account's name. */
  readonly clusterRole?: string;
  readonly everywhere: readonly AccessRule[];
  /** Rules for its own namespace. Default: none. */
  readonly inNamespace?: readonly AccessRule[];
  /**
   * It may read how the API server authenticates callers, as extensions of the API must. Default:
   * false.
   */
  readonly readsApiAuthentication?: boolean;
}

const READ = ["get", "list", "watch"];

/** A rule that allows verbs on resources of an API group; the core group is `""`. */
export function may(
  verbs: readonly string[],
  apiGroup: string,
  resources: readonly string[],
  resourceNames?: readonly string[],
): AccessRule {
  return { apiGroups: [apiGroup], resources, ...(resourceNames && { resourceNames }), verbs };
}

/** A rule that allows reading resources of an API group. */
export function mayRead(apiGroup: string, ...resources: string[]): AccessRule {
  return may(READ, apiGroup, resources);
}

/** Rules for electing a leader among several pods, with a lease of that name. */
export function mayLead(lease: string): AccessRule[] {
  return [
    may(["create"], "coordination.k8s.io", ["leases"]),
    may(["get", "update", "patch"], "coordination.k8s.io", ["leases"], [lease]),
  ];
}

/** A service account, with its roles and bindings. */
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
