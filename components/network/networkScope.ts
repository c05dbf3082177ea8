import * as pulumi from "@pulumi/pulumi";
import { clusterTag } from "../clusterTag";

/** A subnet of a network. */
export interface NetworkSubnet {
  /** Its id. */
  readonly id: pulumi.Output<string>;
  /** Its availability zone. */
  readonly zone: pulumi.Output<string>;
}

/** The parts of a network, created or adopted; see `Network`. */
export interface NetworkParts {
  readonly vpcId: pulumi.Output<string>;
  readonly publicSubnets: Readonly<Record<string, NetworkSubnet>>;
  readonly privateSubnets: Readonly<Record<string, NetworkSubnet>>;
  readonly workerSubnets: Readonly<Record<string, NetworkSubnet>>;
  readonly natAddresses: Readonly<Record<string, pulumi.Output<string>>>;
}

/** Settings that all resources of a network share. */
export interface NetworkScope {
  /** The network's name, a prefix of its resources' names. */
  readonly name: string;
  readonly parent: pulumi.Resource;
  readonly clusterName: pulumi.Input<string>;
  /** Pulumi refuses to delete shared resources. */
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
 * @param suffix of its name, or empty
 * @param more additional tags
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
