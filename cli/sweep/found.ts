/** A kind of resource that controllers in a cluster create. */
export type FoundKind =
  | "machine"
  | "classicLoadBalancer"
  | "loadBalancer"
  | "targetGroup"
  | "securityGroup"
  | "volume"
  | "snapshot";

/** A resource in AWS that is not in Pulumi's state. */
export interface Found {
  readonly kind: FoundKind;
  /** The AWS provider's id: a load balancer's ARN, a classic one's name. */
  readonly id: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Its network; empty for a resource without one. */
  readonly vpcId: string;
  /** Only for security groups; empty for others. */
  readonly description: string;
  /** Type of a volume or load balancer; empty for others. */
  readonly type: string;
  /** Size of a volume or snapshot, in GiB; 0 for others. */
  readonly gib: number;
  /** Whether deletion protection is enabled in AWS. */
  readonly isProtected: boolean;
  /** Whether a volume of the driver is attached to a machine of the cluster. */
  readonly isHeld: boolean;
}

/** A rule of another security group that refers to a found one. */
export interface FoundRule {
  readonly id: string;
  readonly isEgress: boolean;
  readonly groupId: string;
  /** The found group. */
  readonly refersTo: string;
}

export interface Findings {
  readonly things: readonly Found[];
  readonly rules: readonly FoundRule[];
}
