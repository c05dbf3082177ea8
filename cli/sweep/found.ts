/** A kind of what controllers in a cluster make. */
export type FoundKind =
  | "machine"
  | "classicLoadBalancer"
  | "loadBalancer"
  | "targetGroup"
  | "securityGroup"
  | "volume"
  | "snapshot";

/** Something in AWS that Pulumi doesn't know, as AWS tells of it. */
export interface Found {
  readonly kind: FoundKind;
  /** As the AWS provider names it: a load balancer's ARN, a classic one's name. */
  readonly id: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Network that it is in; empty for what is in none. */
  readonly vpcId: string;
  /** Of a security group; empty for others. */
  readonly description: string;
  /** Type of a volume or load balancer; empty for others. */
  readonly type: string;
  /** Size of a volume or snapshot, in GiB; 0 for others. */
  readonly gib: number;
  /** Whether somebody has protected it from deletion in AWS. */
  readonly isProtected: boolean;
  /** Whether a machine of the cluster holds it: of a volume of the driver. */
  readonly isHeld: boolean;
}

/** A rule that lets a found security group in or out, in another group. */
export interface FoundRule {
  readonly id: string;
  readonly isEgress: boolean;
  /** The group whose rule it is. */
  readonly groupId: string;
  /** The group that was found. */
  readonly refersTo: string;
}

/** All that was found of a cluster. */
export interface Findings {
  readonly things: readonly Found[];
  readonly rules: readonly FoundRule[];
}
