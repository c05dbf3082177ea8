import type { ResourceStore } from "../cosi/resourceStore";
import type { KubernetesStore } from "../kubernetes/kubernetesStore";
import type { NodeControl } from "../machine/nodeControl";
import type { NodeState } from "../machine/nodeState";

/** What a node reaches of its cluster. */
export interface Neighbours {
  /** The node that answers at an address, this one among them. */
  nodeAt(address: string): NodeState | undefined;
  /** The objects of the Kubernetes API, while one of its servers answers. */
  kubernetes(): KubernetesStore | undefined;
}

/** What the methods of a node's API work with. */
export interface MethodContext {
  readonly state: NodeState;
  readonly control: NodeControl;
  readonly resources: ResourceStore;
  /** The other nodes of its cluster. */
  readonly neighbours: Neighbours;
}
