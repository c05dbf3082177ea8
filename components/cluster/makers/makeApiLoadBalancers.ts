import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import { ApiLoadBalancer, type ApiTarget } from "../../endpoint/apiLoadBalancer";
import type { Firewall } from "../../firewall/firewall";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import type { Network } from "../../network/network";
import type { ClusterPlan } from "../plan/planCluster";

/** The load balancers of a cluster's Kubernetes API. */
export interface ClusterEntrances {
  readonly public: ApiLoadBalancer | undefined;
  readonly internal: ApiLoadBalancer | undefined;
  /** The public load balancer, or else the internal one. */
  readonly any: ApiLoadBalancer | undefined;
  /** Target groups for control plane machines: `ControlPlaneArgs.targets`. */
  readonly targets: Readonly<Record<string, ApiTarget>>;
  /**
   * The group that must allow machines by their public addresses:
   * `ControlPlaneArgs.publicApiGroupId`.
   */
  readonly publicApiGroupId: pulumi.Output<string> | undefined;
  /** Rules that allow machines in private subnets, by the addresses of the network's NAT. */
  readonly fromNat: readonly pulumi.Resource[];
}

/**
 * The load balancers that a cluster's exposure requires. Each has its own name, so a change of the
 * exposure by way of `both` does not affect the one that serves.
 *
 * @param child options of a child of the cluster
 */
export function makeApiLoadBalancers(
  name: string,
  args: ClusterPlan,
  dependencies: { readonly network: Network; readonly firewall: Firewall },
  child: pulumi.ComponentResourceOptions,
): ClusterEntrances {
  const { exposure = "public", tags, protect } = args;
  const { network, firewall } = dependencies;
  const { publicSubnets, privateSubnets } = network;
  // An internal load balancer may be in public subnets, because its addresses are private anyway. A
  // network that gets private subnets later keeps it.
  const subnets = Object.keys(publicSubnets).length > 0 ? publicSubnets : privateSubnets;
  const make = (suffix: string, internal: boolean) =>
    new ApiLoadBalancer(
      `${name}-${suffix}`,
      defined({
        vpcId: network.vpcId,
        subnetIds: Object.values(subnets).map(({ id }) => id),
        securityGroupId: firewall.loadBalancerGroupId,
        internal,
        dualStack: args.network.ipv6,
        talosApi: args.talosApiThroughLoadBalancer,
        versionContract: args.versionContract,
        talosVersion: args.talosVersion,
        healthCheck: args.apiHealthCheck,
        idleTimeoutSeconds: args.loadBalancerIdleTimeoutSeconds,
        deletionProtection: args.loadBalancerDeletionProtection,
        protect,
        tags,
      }),
      // AWS creates no public load balancer without the gateway, and keeps the gateway while one
      // has addresses.
      { ...child, dependsOn: network },
    );
  const open = exposure === "public" || exposure === "both" ? make("api", false) : undefined;
  const inner = exposure === "internal" || exposure === "both" ? make("int", true) : undefined;
  const innerTargets = Object.entries(inner?.targets ?? {}).map(
    ([key, target]) => [`internal-${key}`, target] as const,
  );
  // Inside the network, the name resolves to the internal load balancer if there is one.
  const publicApiGroupId =
    inner !== undefined
      ? undefined
      : open === undefined
        ? firewall.controlPlaneGroupId
        : firewall.loadBalancerGroupId;
  return {
    public: open,
    internal: inner,
    any: open ?? inner,
    targets: { ...open?.targets, ...Object.fromEntries(innerTargets) },
    publicApiGroupId,
    fromNat:
      publicApiGroupId === undefined
        ? []
        : letInNat(name, args, { network, groupId: publicApiGroupId }, child),
  };
}

/**
 * Allows the addresses of the NAT, through which machines in private subnets reach a public
 * address.
 */
function letInNat(
  name: string,
  args: ClusterPlan,
  { network, groupId }: { readonly network: Network; readonly groupId: pulumi.Output<string> },
  child: pulumi.ComponentResourceOptions,
): pulumi.Resource[] {
  return natSources(args, network).map(({ suffix, address }) => {
    const ruleName = `${name}-${suffix}-to-api`;
    return new aws.vpc.SecurityGroupIngressRule(
      ruleName,
      {
        securityGroupId: groupId,
        ipProtocol: "tcp",
        fromPort: KUBERNETES_API_PORT,
        toPort: KUBERNETES_API_PORT,
        cidrIpv4: pulumi.interpolate`${address}/32`,
        description: "Kubernetes API: machines in private subnets by NAT",
        tags: pulumi.output(args.tags ?? {}).apply((more) => ({ Name: ruleName, ...more })),
      },
      child,
    );
  });
}

/** The distinct addresses of the NAT, with the names of their rules. */
function natSources(args: ClusterPlan, network: Network) {
  const { adopt } = args.network;
  if (adopt === undefined) {
    return args.facts.natGateways.map(({ suffix, serves }) => ({
      suffix,
      address: network.natAddresses.apply((addresses) => addresses[serves[0] ?? ""] ?? ""),
    }));
  }
  // AWS refuses a second rule for the same range.
  const letIn = args.kubernetesApiCidrs ?? args.operatorCidrs;
  return [...new Set(Object.values(adopt.natAddresses ?? {}))]
    .filter((address) => !letIn.includes(`${address}/32`))
    .map((address) => ({ suffix: `nat-${address}`, address: pulumi.output(address) }));
}
