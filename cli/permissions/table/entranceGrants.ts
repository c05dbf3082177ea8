import { anywhere, arn, type GrantedResource, grant, type GrantsOf, serviceRole } from "../grant";

const ELB = "elasticloadbalancing";

const READS = anywhere(
  ELB,
  "DescribeLoadBalancers",
  "DescribeLoadBalancerAttributes",
  "DescribeTags",
  "DescribeTargetGroups",
  "DescribeTargetGroupAttributes",
  "DescribeTargetHealth",
  "DescribeListeners",
  "DescribeListenerAttributes",
  "DescribeListenerCertificates",
  "DescribeCapacityReservation",
);

/** A load balancer's name is the third part of its ARN; Pulumi names it by the resource. */
function balancer(resource: GrantedResource): string {
  return arn(resource, ELB, `loadbalancer/*/${resource.text("name")}/*`);
}

function balancerOf(resource: GrantedResource, part: "loadbalancer" | "listener"): string {
  const [, kind = "*", name = "*"] =
    /:loadbalancer\/(net|app)\/([^/]+)\//.exec(resource.text("loadBalancerArn")) ?? [];
  return arn(resource, ELB, `${part}/${kind}/${withoutDigits(name)}/*`);
}

/** A replaced load balancer has other digits behind its name. */
function withoutDigits(name: string): string {
  return name.replace(/-[0-9a-f]{7}$/, "-*");
}

function targetGroupOf(resource: GrantedResource): string {
  const [, name = "*"] = /:targetgroup\/([^/]+)\//.exec(resource.text("targetGroupArn")) ?? [];
  return arn(resource, ELB, `targetgroup/${withoutDigits(name)}/*`);
}

const recordGrants: GrantsOf = (resource) => [
  grant(
    "route53",
    ["ChangeResourceRecordSets", "ListResourceRecordSets", "GetHostedZone"],
    [`arn:${resource.scope.partition}:route53:::hostedzone/${resource.text("zoneId")}`],
  ),
  grant("route53", ["GetChange"], [`arn:${resource.scope.partition}:route53:::change/*`]),
  anywhere("route53", "ListHostedZones"),
];

/**
 * Load balancers and names. Sources: the pages of Elastic Load Balancing V2 and Amazon Route 53 in the
 * Service Authorization Reference; the calls of hashicorp/terraform-provider-aws, internal/service/elbv2
 * and internal/service/route53.
 */
export const entranceGrants: Readonly<Record<string, GrantsOf>> = {
  "aws:lb/loadBalancer:LoadBalancer": (resource) => [
    READS,
    grant(
      ELB,
      [
        "CreateLoadBalancer",
        "DeleteLoadBalancer",
        "ModifyLoadBalancerAttributes",
        "SetSubnets",
        "SetSecurityGroups",
        "SetIpAddressType",
        "AddTags",
        "RemoveTags",
      ],
      [balancer(resource)],
    ),
    anywhere(
      "ec2",
      "DescribeNetworkInterfaces",
      "DescribeVpcs",
      "DescribeSubnets",
      "DescribeAddresses",
      "DescribeSecurityGroups",
      "DescribeInternetGateways",
      "DescribeAccountAttributes",
    ),
    serviceRole(resource, ELB),
  ],
  "aws:lb/targetGroup:TargetGroup": (resource) => [
    READS,
    anywhere("ec2", "DescribeVpcs"),
    grant(
      ELB,
      [
        "CreateTargetGroup",
        "DeleteTargetGroup",
        "ModifyTargetGroup",
        "ModifyTargetGroupAttributes",
        "AddTags",
        "RemoveTags",
      ],
      [arn(resource, ELB, `targetgroup/${resource.text("name")}/*`)],
    ),
  ],
  "aws:lb/listener:Listener": (resource) => [
    READS,
    grant(
      ELB,
      ["CreateListener", "AddTags"],
      [balancerOf(resource, "loadbalancer"), balancerOf(resource, "listener")],
    ),
    grant(
      ELB,
      ["DeleteListener", "ModifyListener", "ModifyListenerAttributes", "RemoveTags"],
      [balancerOf(resource, "listener")],
    ),
  ],
  "aws:lb/targetGroupAttachment:TargetGroupAttachment": (resource) => [
    READS,
    grant(ELB, ["RegisterTargets", "DeregisterTargets"], [targetGroupOf(resource)]),
  ],
  "aws:route53/record:Record": recordGrants,
  "aws:route53/zone:Zone": (resource) => [
    anywhere("route53", "CreateHostedZone", "ListHostedZones"),
    anywhere("ec2", "DescribeVpcs"),
    grant(
      "route53",
      [
        "GetHostedZone",
        "UpdateHostedZoneComment",
        "DeleteHostedZone",
        "GetDNSSEC",
        "ListTagsForResource",
        "ChangeTagsForResource",
        "ListResourceRecordSets",
        "ChangeResourceRecordSets",
        "AssociateVPCWithHostedZone",
        "DisassociateVPCFromHostedZone",
      ],
      // Route 53 chooses ids, so a zone that is still to be created has none.
      [`arn:${resource.scope.partition}:route53:::hostedzone/*`],
    ),
    grant("route53", ["GetChange"], [`arn:${resource.scope.partition}:route53:::change/*`]),
  ],
};
