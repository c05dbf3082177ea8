import type { ResourceStore } from "../cosi/resourceStore";
import type { NodeControl } from "../machine/nodeControl";
import type { NodeState } from "../machine/nodeState";

/** What the methods of a node's API work with. */
export interface MethodContext {
  readonly state: NodeState;
  readonly control: NodeControl;
  readonly resources: ResourceStore;
}
