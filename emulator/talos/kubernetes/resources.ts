/** A kind of object the simulated Kubernetes API serves. */
export interface ResourceKind {
  /** Empty for the core group. */
  readonly group: "" | "apps";
  readonly plural: "nodes" | "namespaces" | "pods" | "configmaps" | "daemonsets" | "deployments";
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

const readable = ["get", "list"];

/**
 * What discovery tells of: a small part of a real cluster. Nodes are as the machines report them; of
 * what users store there are ConfigMaps; pods, DaemonSets and Deployments are those Talos itself brings, and follow from the nodes.
 */
export const resourceKinds: readonly ResourceKind[] = [
  {
    group: "",
    plural: "nodes",
    singular: "node",
    kind: "Node",
    namespaced: false,
    shortNames: ["no"],
    categories: [],
    verbs: ["delete", ...readable, "watch"],
  },
  {
    group: "",
    plural: "namespaces",
    singular: "namespace",
    kind: "Namespace",
    namespaced: false,
    shortNames: ["ns"],
    categories: [],
    verbs: readable,
  },
  {
    group: "",
    plural: "pods",
    singular: "pod",
    kind: "Pod",
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    verbs: readable,
  },
  {
    group: "",
    plural: "configmaps",
    singular: "configmap",
    kind: "ConfigMap",
    namespaced: true,
    shortNames: ["cm"],
    categories: [],
    verbs: ["create", ...readable],
  },
  {
    group: "apps",
    plural: "daemonsets",
    singular: "daemonset",
    kind: "DaemonSet",
    namespaced: true,
    shortNames: ["ds"],
    categories: ["all"],
    verbs: readable,
  },
  {
    group: "apps",
    plural: "deployments",
    singular: "deployment",
    kind: "Deployment",
    namespaced: true,
    shortNames: ["deploy"],
    categories: ["all"],
    verbs: readable,
  },
];

/** Namespaces every cluster is born with. */
export const namespaceNames = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;

/** What a path of the API is about. */
export interface AddressedResource {
  readonly kind: ResourceKind;
  /** `undefined` for all of them. */
  readonly namespace: string | undefined;
  /** `undefined` for a list. */
  readonly name: string | undefined;
}

/** The kind, namespace and name a path addresses; `undefined` for a path of no kind. */
export function addressed(pathname: string): AddressedResource | undefined {
  const match =
    /^\/(?:api|apis\/([^/]+))\/v1(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?$/.exec(
      pathname,
    );
  const [, group = "", namespace, plural, name] = match ?? [];
  const kind = resourceKinds.find((known) => known.plural === plural && known.group === group);
  return kind && { kind, namespace, name };
}
