import type * as pulumi from "@pulumi/pulumi";
import { ApiLoadBalancer, type ApiTarget } from "./apiLoadBalancer";
import { defined } from "./defined";
import type { Firewall } from "./firewall";
import type { Network } from "./network";
import type { TalosClusterArgs } from "./talosClusterArgs";

/** What leads to a cluster's Kubernetes API. */
export interface ClusterEntrances {
  readonly public: ApiLoadBalancer | undefined;
  readonly internal: ApiLoadBalancer | undefined;
  /** What control plane machines join: `ControlPlaneArgs.targets`. */
  readonly targets: Readonly<Record<string, ApiTarget>>;
  /** Who has to let machines in by their public addresses: `ControlPlaneArgs.publicApiGroupId`. */
  readonly publicApiGroupId: pulumi.Output<string> | undefined;
}

/**
 * The load balancers that a cluster's exposure asks for. Each has a name of its own, so that going
 * from one exposure to another by way of `both` leaves the one that serves alone.
 *
 * @param child options of a child of the cluster
 */
export function makeApiLoadBalancers(
  name: string,
  args: TalosClusterArgs,
  around: { readonly network: Network; readonly firewall: Firewall },
  child: pulumi.ComponentResourceOptions,
): ClusterEntrances {
  const { exposure = "public", tags, protect } = args;
  const { network, firewall } = around;
  const { publicSubnets, privateSubnets } = network;
  // One that is internal may lie in public subnets, too: its addresses are private at any rate, and
  // a network that gets private subnets later keeps it.
  const subnets = Object.keys(publicSubnets).length > 0 ? publicSubnets : privateSubnets;
  const make = (suffix: string, internal: boolean) =>
    new ApiLoadBalancer(
      `${name}-${suffix}`,
      defined({
        vpcId: network.vpcId,
        subnetIds: Object.values(subnets).map(({ id }) => id),
        securityGroupId: firewall.loadBalancerGroupId,
        internal,
        versionContract: args.versionContract,
        healthCheck: args.apiHealthCheck,
        deletionProtection: args.loadBalancerDeletionProtection,
        protect,
        tags,
      }),
      // AWS makes no public load balancer without the gateway, and keeps the gateway while one
      // has addresses.
      { ...child, dependsOn: network },
    );
  const open = exposure === "public" || exposure === "both" ? make("api", false) : undefined;
  const inner = exposure === "internal" || exposure === "both" ? make("int", true) : undefined;
  const innerTargets = Object.entries(inner?.targets ?? {}).map(
    ([key, target]) => [`internal-${key}`, target] as const,
  );
  return {
    public: open,
    internal: inner,
    targets: { ...open?.targets, ...Object.fromEntries(innerTargets) },
    // Inside the network the name leads to the internal load balancer where there is one.
    publicApiGroupId:
      inner !== undefined
        ? undefined
        : open === undefined
          ? firewall.controlPlaneGroupId
          : firewall.loadBalancerGroupId,
  };
}
