import * as pulumi from "@pulumi/pulumi";
import type { ControlPlaneMachine } from "../../controlPlane/controlPlane";
import { defined } from "../../defined";
import type { ApiLoadBalancer } from "../../endpoint/apiLoadBalancer";
import { DnsRecord } from "../../endpoint/dnsRecord";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import type { ClusterPlan } from "../plan/planCluster";
import type { ClusterEntrances } from "./makeApiLoadBalancers";

/**
 * Whether the firewall allows IPv6 clients at the Kubernetes API's load balancer. Otherwise an AAAA
 * record would make each client wait before it tries IPv4. Rules of adopted groups are unknown
 * here.
 */
function letsInIpv6(args: ClusterPlan, internal: boolean): boolean {
  if (args.network.ipv6 !== true || args.firewall?.adopt?.makeRules === false) {
    return args.network.ipv6 === true;
  }
  return args.facts.firewallRules.some(
    ({ direction, group, port, peer }) =>
      direction === "ingress" &&
      group === "loadBalancer" &&
      port?.ports?.from === KUBERNETES_API_PORT &&
      // A rule for a group covers its machines' private addresses, IPv4 and IPv6.
      ("ipv6Cidr" in peer || (internal && "group" in peer)),
  );
}

/**
 * Creates the DNS records of a cluster's name: to the load balancer, or to the machines. With both
 * load balancers, a private zone of exactly the name, which hides no other, resolves to the
 * internal one. The record waits until its load balancer listens. So a replacement gets no call
 * before it can forward it.
 *
 * @param around.machines to which the name leads, without a load balancer
 * @param around.targets attach a machine to load balancers, if that can come first
 * @param child options of a child of the cluster
 * @returns the public record first, then the private one
 */
export function makeDnsRecords(
  name: string,
  args: ClusterPlan,
  dependencies: {
    readonly vpcId: pulumi.Output<string>;
    readonly entrances: ClusterEntrances;
    readonly machines: readonly ControlPlaneMachine[];
    readonly targets: readonly pulumi.Resource[];
  },
  child: pulumi.ComponentResourceOptions,
): readonly [DnsRecord, ...DnsRecord[]] {
  const { vpcId, entrances } = dependencies;
  const { dns = {}, protect, tags } = args;
  const { recordName, zoneName } = args.facts.names;
  const entrance = entrances.any;
  const afterOf = (balancer: ApiLoadBalancer | undefined) => ({
    dependsOn: balancer === undefined ? [] : [balancer, ...dependencies.targets],
  });
  const leadTo = (balancer: ApiLoadBalancer) => ({
    loadBalancerDnsName: balancer.dnsName,
    loadBalancerZoneId: balancer.zoneId,
    dualStack: letsInIpv6(args, balancer === entrances.internal),
  });
  const main = new DnsRecord(
    `${name}-dns`,
    defined({
      recordName,
      zoneName,
      zoneId: dns.zoneId,
      createZone: dns.createZone,
      privateVpcId: dns.privateZone === true ? vpcId : undefined,
      ...(entrance === undefined
        ? { addresses: addressesOf(dependencies.machines) }
        : leadTo(entrance)),
      protect,
      tags,
    }),
    {
      ...child,
      ...afterOf(entrance),
      ...(dns.provider !== undefined && { provider: dns.provider }),
    },
  );
  if (entrances.public === undefined || entrances.internal === undefined) {
    return [main];
  }
  const inner = new DnsRecord(
    `${name}-dns-internal`,
    defined({
      recordName,
      zoneName: recordName,
      createZone: true,
      privateVpcId: vpcId,
      ...leadTo(entrances.internal),
      protect,
      tags,
    }),
    { ...child, ...afterOf(entrances.internal) },
  );
  return [main, inner];
}

/**
 * Addresses for the name. A stopped machine has no public one. If none has, the name leads to the private
 * ones, as a record can't be empty.
 */
function addressesOf(machines: readonly ControlPlaneMachine[]): pulumi.Output<string[]> {
  return pulumi.all(machines.map(({ publicAddress }) => publicAddress)).apply((addresses) => {
    const known = addresses.filter((address) => address !== "");
    return known.length > 0
      ? pulumi.output(known)
      : pulumi.all(machines.map(({ privateAddress }) => privateAddress));
  });
}
