import * as pulumi from "@pulumi/pulumi";
import { clusterTag } from "../clusterTag";

/** A subnet of a network. */
export interface NetworkSubnet {
  readonly id: pulumi.Output<string>;
  /** The availability zone it lies in. */
  readonly zone: pulumi.Output<string>;
}

/** What a network consists of, made or adopted; see `Network`. */
export interface NetworkParts {
  readonly vpcId: pulumi.Output<string>;
  readonly publicSubnets: Readonly<Record<string, NetworkSubnet>>;
  readonly privateSubnets: Readonly<Record<string, NetworkSubnet>>;
  readonly natAddresses: Readonly<Record<string, pulumi.Output<string>>>;
}

/** What resources of a network have in common. */
export interface NetworkScope {
  /** The network's name, which those of its resources start with. */
  readonly name: string;
  readonly parent: pulumi.Resource;
  readonly clusterName: pulumi.Input<string>;
  /** Pulumi refuses to delete what others rely on. */
  readonly protect: boolean;
  readonly tags: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The tag by which controllers tell public subnets from private ones. */
export const ROLE_TAGS = {
  public: "kubernetes.io/role/elb",
  private: "kubernetes.io/role/internal-elb",
} as const;

/**
 * The tags of a network's resource.
 *
 * @param suffix what its name ends in, or nothing
 * @param more tags of its kind
 */
export function tagged(
  { name, clusterName, tags }: NetworkScope,
  suffix: string,
  more: Record<string, string> = {},
): pulumi.Output<Record<string, string>> {
  return pulumi.all([clusterName, tags]).apply(([cluster, own]) => ({
    Name: suffix === "" ? name : `${name}-${suffix}`,
    [clusterTag(cluster)]: "owned",
    ...more,
    ...own,
  }));
}
