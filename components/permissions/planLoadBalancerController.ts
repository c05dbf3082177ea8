import { clusterTag } from "../clusterTag";
import {
  allow,
  inRegion,
  partitionOf,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";

/** The tag of everything that the controller creates; its value is the cluster's name. */
const CONTROLLER_TAG = "elbv2.k8s.aws/cluster";

/**
 * Read calls, which AWS can't limit. EC2's are named, because a wildcard would also read user data.
 * Those of load balancers read no secret, and IAM limits the length of a role's policies.
 */
const SEE = [
  "acm:DescribeCertificate",
  "acm:ListCertificates",
  "ec2:DescribeAccountAttributes",
  "ec2:DescribeAddresses",
  "ec2:DescribeAvailabilityZones",
  "ec2:DescribeInstances",
  "ec2:DescribeInternetGateways",
  "ec2:DescribeIpamPools",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeRouteTables",
  "ec2:DescribeSecurityGroups",
  "ec2:DescribeSubnets",
  "ec2:DescribeTags",
  "ec2:DescribeVpcPeeringConnections",
  "ec2:DescribeVpcs",
  "ec2:GetSecurityGroupsForVpc",
  "elasticloadbalancing:Describe*",
];

/** Calls for load balancers and target groups of the cluster. */
const CHANGE = [
  "AddTags",
  "CreateListener",
  "DeleteLoadBalancer",
  "DeleteTargetGroup",
  "ModifyIpPools",
  "ModifyListenerAttributes",
  "ModifyLoadBalancerAttributes",
  "ModifyTargetGroup",
  "ModifyTargetGroupAttributes",
  "RemoveTags",
  "SetIpAddressType",
  "SetSecurityGroups",
  "SetSubnets",
].map(balancing);

const LISTEN = [
  "AddListenerCertificates",
  "AddTags",
  "CreateRule",
  "DeleteListener",
  "DeleteRule",
  "ModifyListener",
  "ModifyRule",
  "RemoveListenerCertificates",
  "RemoveTags",
  "SetRulePriorities",
].map(balancing);

/**
 * The permissions of the AWS load balancer controller for ingresses and services. Load balancers,
 * target groups and security groups are limited to those with the tag of their creation. Listeners,
 * rules and registrations are not in upstream's own policy. Here those of another cluster's
 * controller are excluded. Those without a name stay usable, such as target groups that a
 * `TargetGroupBinding` names.
 *
 * Source: docs/install/iam_policy.json of kubernetes-sigs/aws-load-balancer-controller v3.5.0,
 * without Cognito, WAF, Shield and outposts.
 */
export function planLoadBalancerController(scope: PolicyScope): PolicyStatement[] {
  const { region, clusterName } = scope;
  const partition = partitionOf(region);
  const groups = `arn:${partition}:ec2:${region}:*:security-group/*`;
  const all = (kind: string) => `arn:${partition}:elasticloadbalancing:${region}:*:${kind}/*`;
  const [targetGroups, balancers] = [all("targetgroup"), all("loadbalancer")] as const;
  const listeners = [all("listener"), all("listener-rule")];
  const owned = [targetGroups, balancers];
  const asks = { [`aws:RequestTag/${CONTROLLER_TAG}`]: clusterName };
  const has = { StringEquals: { [`aws:ResourceTag/${CONTROLLER_TAG}`]: clusterName } };
  const isNotOthers = { StringEqualsIfExists: has.StringEquals };
  const isCluster = { StringEquals: { [`aws:ResourceTag/${clusterTag(clusterName)}`]: "owned" } };
  const open = ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"];
  const changeGroup = ["ec2:CreateTags", "ec2:DeleteSecurityGroup", "ec2:DeleteTags"];
  const make = ["CreateLoadBalancer", "CreateTargetGroup"];
  return [
    allow("BalancersSee", SEE, "*", inRegion(scope)),
    // IAM is global and has no regions.
    allow("BalancersSeeIam", ["iam:GetServerCertificate", "iam:ListServerCertificates"], "*"),
    allow("BalancersMake", make.map(balancing), "*", { StringEquals: asks }),
    allow("BalancersTagNew", [balancing("AddTags")], owned, {
      StringEquals: { ...asks, "elasticloadbalancing:CreateAction": make },
    }),
    allow("BalancersChange", CHANGE, "*", has),
    allow("BalancersListen", LISTEN, listeners, isNotOthers),
    allow(
      "BalancersRegister",
      ["RegisterTargets", "DeregisterTargets"].map(balancing),
      targetGroups,
      isNotOthers,
    ),
    allow("BalancersMakeGroup", ["ec2:CreateSecurityGroup"], "*", inRegion(scope)),
    allow("BalancersTagNewGroup", ["ec2:CreateTags"], groups, {
      StringEquals: { ...asks, "ec2:CreateAction": "CreateSecurityGroup" },
    }),
    allow("BalancersChangeGroup", [...changeGroup, ...open], groups, has),
    allow("BalancersOpenMachines", open, groups, isCluster),
    allow("BalancersServiceRole", ["iam:CreateServiceLinkedRole"], "*", {
      StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" },
    }),
  ];
}

function balancing(action: string): string {
  return `elasticloadbalancing:${action}`;
}
