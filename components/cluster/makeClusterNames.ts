import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../defined";
import type { ApiLoadBalancer } from "../endpoint/apiLoadBalancer";
import { clusterNames } from "../endpoint/clusterNames";
import { DnsRecord } from "../endpoint/dnsRecord";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import type { ClusterEntrances } from "./makeApiLoadBalancers";

/**
 * Writes a cluster's name into DNS: to the load balancer, or in turn to the machines. With both load
 * balancers a private zone of exactly the name, which hides no other, leads the network inside.
 *
 * @param around.addresses of the machines, where no load balancer is
 * @param child options of a child of the cluster
 * @returns the record that everybody sees first, then the one that only the network sees
 */
export function makeClusterNames(
  name: string,
  args: TalosClusterArgs,
  around: {
    readonly vpcId: pulumi.Output<string>;
    readonly entrances: ClusterEntrances;
    readonly addresses: readonly pulumi.Output<string>[];
  },
  child: pulumi.ComponentResourceOptions,
): readonly [DnsRecord, ...DnsRecord[]] {
  const { vpcId, entrances } = around;
  const { dns = {}, protect, tags } = args;
  const { recordName, zoneName } = clusterNames(args);
  const entrance = entrances.any;
  const leadTo = ({ dnsName, zoneId }: ApiLoadBalancer) => ({
    loadBalancerDnsName: dnsName,
    loadBalancerZoneId: zoneId,
    dualStack: args.network.ipv6,
  });
  const main = new DnsRecord(
    `${name}-dns`,
    defined({
      recordName,
      zoneName,
      zoneId: dns.zoneId,
      createZone: dns.createZone,
      privateVpcId: dns.privateZone === true ? vpcId : undefined,
      ...(entrance === undefined ? { addresses: [...around.addresses] } : leadTo(entrance)),
      protect,
      tags,
    }),
    { ...child, ...(dns.provider !== undefined && { provider: dns.provider }) },
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
    child,
  );
  return [main, inner];
}
