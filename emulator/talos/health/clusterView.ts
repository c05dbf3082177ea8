import type { KubernetesStore } from "../kubernetes/kubernetesStore";
import type { NodeState } from "../machine/nodeState";

/** A node that a check of a cluster is about. */
export interface CheckedNode {
  /** Inside the cluster's network. */
  readonly address: string;
  readonly machineType: "controlplane" | "worker";
}

/** What a node that checks its cluster can see of it. */
export interface ClusterView {
  readonly nodes: readonly CheckedNode[];
  /** The node that checks. */
  readonly local: NodeState;
  /** A node that answers at an address. */
  nodeAt(address: string): NodeState | undefined;
  /** The objects of the Kubernetes API, while one of its servers answers. */
  kubernetes(): KubernetesStore | undefined;
}
