import type { ReplicatedAddOnPods } from "../common/addOnPodsArgs";

/** The argument of Karpenter. */
export interface KarpenterChoice {
  /**
   * Karpenter, for pools with `karpenter`: launches machines for pods that have no place, and ends those that aren't
   * needed. It needs `irsa` and the cloud controller. A queue of SQS and a rule of EventBridge tell it when AWS takes
   * a machine away; they cost less than $1 a month. Leave it out only after its pools: until their machines are gone,
   * nothing else ends them. Default: none.
   */
  readonly karpenter?: boolean | KarpenterAddOn;
}

/**
 * Karpenter, on control plane machines, with an IAM role of its own. It may launch machines with the roles of its pools
 * and end those that it has launched, but no others, and reads no Secrets. `extraArgs` are flags of its controller:
 * `{"batch-idle-duration": "5s"}`.
 */
export interface KarpenterAddOn extends ReplicatedAddOnPods {
  /**
   * The release, of the minor that this package's definitions are of: `v1.15.2`. A later release of this package may
   * take the next minor. Default: a release of the minor.
   */
  readonly version?: string;
}
