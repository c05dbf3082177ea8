import { DescribeNetworkInterfacesCommand } from "@aws-sdk/client-ec2";
import {
  DeleteLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
} from "@aws-sdk/client-elastic-load-balancing";
import { unlessMissing, waitUntil } from "../awsErrors";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { loadBalancingName } from "../valueRules";

const MISSING = [
  "AccessPointNotFoundException",
  "LoadBalancerNotFound",
  "LoadBalancerNotFoundException",
];

/**
 * `aws.elb.LoadBalancer`, a classic one, as Kubernetes' cloud controller creates it. It is only
 * read and deleted, because no component of this package creates one.
 */
export const classicLoadBalancer: ResourceKind = {
  type: "aws:elb/loadBalancer:LoadBalancer",
  title: "classic load balancer",
  regional: true,
  inputs: { name: { type: "string", computed: true, replaces: true, rule: loadBalancingName } },
  outputs: ["arn", "dnsName", "tagsAll"],

  create: () => Promise.reject(new Error("the emulated cloud makes no classic load balancers")),

  read: async ({ aws }, name) => {
    const found = await unlessMissing(MISSING, () =>
      aws.classicBalancing.send(new DescribeLoadBalancersCommand({ LoadBalancerNames: [name] })),
    );
    const live = found?.LoadBalancerDescriptions?.[0];
    if (live === undefined) {
      return undefined;
    }
    const { TagDescriptions = [] } = await aws.classicBalancing.send(
      new DescribeTagsCommand({ LoadBalancerNames: [name] }),
    );
    const tagsAll = fromTagList(TagDescriptions[0]?.Tags);
    return { name, dnsName: live.DNSName ?? "", tagsAll };
  },

  // The provider waits until AWS has deleted the interfaces (`deleteNetworkInterfaces` in
  // terraform-provider-aws, internal/service/elb/load_balancer.go).
  delete: async ({ aws, signal }, name) => {
    await unlessMissing(MISSING, () =>
      aws.classicBalancing.send(new DeleteLoadBalancerCommand({ LoadBalancerName: name })),
    );
    const Filters = [{ Name: "description", Values: [`ELB ${name}`] }];
    await waitUntil(`the interfaces of "${name}" to be gone`, signal, async () => {
      const found = await aws.ec2.send(new DescribeNetworkInterfacesCommand({ Filters }));
      return (found.NetworkInterfaces ?? []).length === 0;
    });
  },
};
