import type { ResourceStore } from "../cosi/resourceStore";
import type { KubernetesStore } from "../kubernetes/kubernetesStore";
import type { NodeControl } from "../machine/nodeControl";
import type { NodeState } from "../machine/nodeState";

/** Access to the other nodes of a cluster. */
export interface Neighbours {
  /** The node at an address, including this one. */
  nodeAt(address: string): NodeState | undefined;
  /** The objects of the Kubernetes API, while one of its servers answers. */
  kubernetes(): KubernetesStore | undefined;
}

/** The context of a node's API methods. */
export interface MethodContext {
  readonly state: NodeState;
  readonly control: NodeControl;
  readonly resources: ResourceStore;
  /** The other nodes of its cluster. */
  readonly neighbours: Neighbours;
}
