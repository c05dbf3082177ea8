/** A kind of object the simulated Kubernetes API serves. */
export interface ResourceKind {
  readonly plural: "nodes" | "namespaces" | "pods";
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * What discovery tells of: a part of the core group of a real cluster. There are nodes and
 * namespaces; the list of pods is empty, since no workload runs.
 */
export const resourceKinds: readonly ResourceKind[] = [
  {
    plural: "nodes",
    singular: "node",
    kind: "Node",
    namespaced: false,
    shortNames: ["no"],
    categories: [],
    verbs: ["delete", "get", "list", "watch"],
  },
  {
    plural: "namespaces",
    singular: "namespace",
    kind: "Namespace",
    namespaced: false,
    shortNames: ["ns"],
    categories: [],
    verbs: ["get", "list"],
  },
  {
    plural: "pods",
    singular: "pod",
    kind: "Pod",
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    verbs: ["get", "list"],
  },
];

/** Namespaces every cluster is born with. */
export const namespaceNames = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;
