import type { KubernetesStore } from "../kubernetes/kubernetesStore";
import type { NodeState } from "../machine/nodeState";

/** A node in a cluster check. */
export interface CheckedNode {
  /** Inside the cluster's network. */
  readonly address: string;
  readonly machineType: "controlplane" | "worker";
}

/** The checking node's view of its cluster. */
export interface ClusterView {
  readonly nodes: readonly CheckedNode[];
  /** The node that checks. */
  readonly local: NodeState;
  /** The node at an address, if it answers. */
  nodeAt(address: string): NodeState | undefined;
  /** The objects of the Kubernetes API, while one of its servers answers. */
  kubernetes(): KubernetesStore | undefined;
}
