import { clusterTag } from "../clusterTag";
import {
  allow,
  inRegion,
  partitionOf,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";

/** Read calls, which AWS can't limit. */
const SEE = [
  "ec2:DescribeAvailabilityZones",
  "ec2:DescribeInstances",
  "ec2:DescribeInstanceTopology",
  "ec2:DescribeRegions",
  "ec2:DescribeRouteTables",
  "ec2:DescribeSecurityGroups",
  "ec2:DescribeSubnets",
  "ec2:DescribeVolumes",
  "ec2:DescribeVpcs",
  "elasticloadbalancing:DescribeListeners",
  "elasticloadbalancing:DescribeLoadBalancerAttributes",
  "elasticloadbalancing:DescribeLoadBalancerPolicies",
  "elasticloadbalancing:DescribeLoadBalancers",
  "elasticloadbalancing:DescribeTargetGroupAttributes",
  "elasticloadbalancing:DescribeTargetGroups",
  "elasticloadbalancing:DescribeTargetHealth",
];

/** Create calls, which set the cluster's tag. */
const MAKE = ["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"];

/** Calls for resources with the cluster's tag. */
const CHANGE = [
  "ec2:AuthorizeSecurityGroupIngress",
  "ec2:DeleteSecurityGroup",
  "ec2:RevokeSecurityGroupIngress",
  "elasticloadbalancing:AddTags",
  "elasticloadbalancing:ApplySecurityGroupsToLoadBalancer",
  "elasticloadbalancing:AttachLoadBalancerToSubnets",
  "elasticloadbalancing:ConfigureHealthCheck",
  "elasticloadbalancing:CreateLoadBalancerListeners",
  "elasticloadbalancing:CreateLoadBalancerPolicy",
  "elasticloadbalancing:DeleteListener",
  "elasticloadbalancing:DeleteLoadBalancer",
  "elasticloadbalancing:DeleteLoadBalancerListeners",
  "elasticloadbalancing:DeleteTargetGroup",
  "elasticloadbalancing:DeregisterInstancesFromLoadBalancer",
  "elasticloadbalancing:DeregisterTargets",
  "elasticloadbalancing:DetachLoadBalancerFromSubnets",
  "elasticloadbalancing:ModifyListener",
  "elasticloadbalancing:ModifyLoadBalancerAttributes",
  "elasticloadbalancing:ModifyTargetGroup",
  "elasticloadbalancing:ModifyTargetGroupAttributes",
  "elasticloadbalancing:RegisterInstancesWithLoadBalancer",
  "elasticloadbalancing:RegisterTargets",
  "elasticloadbalancing:SetLoadBalancerPoliciesForBackendServer",
  "elasticloadbalancing:SetLoadBalancerPoliciesOfListener",
  "elasticloadbalancing:SetSecurityGroups",
];

/**
 * The permissions of the AWS cloud controller for nodes and services. It tags a resource as the
 * cluster's in the create call. So calls that change or delete are limited to that tag. Calls for
 * routes and volumes are left out: the pod network and the CSI driver have taken them over. So is
 * `ec2:ModifyInstanceAttribute`: only `CreateRoute` calls it, to forward packets of pods. Source:
 * docs/prerequisites.md, pkg/providers/v1/aws_loadbalancer.go, aws_routes.go and tags.go of
 * github.com/kubernetes/cloud-provider-aws v1.36.1.
 */
export function planCloudController(scope: PolicyScope): PolicyStatement[] {
  const { region, clusterName } = scope;
  const ec2 = `arn:${partitionOf(region)}:ec2:${region}:*`;
  const tag = clusterTag(clusterName);
  const asks = { StringEquals: { [`aws:RequestTag/${tag}`]: "owned" } };
  const has = { StringEquals: { [`aws:ResourceTag/${tag}`]: "owned" } };
  return [
    allow("CloudControllerSee", SEE, "*", inRegion(scope)),
    allow("CloudControllerMake", MAKE, "*", asks),
    allow("CloudControllerListen", ["elasticloadbalancing:CreateListener"], "*", {
      StringEquals: { ...asks.StringEquals, ...has.StringEquals },
    }),
    allow("CloudControllerMakeGroup", ["ec2:CreateSecurityGroup"], `${ec2}:security-group/*`, asks),
    allow("CloudControllerMakeGroupInNetwork", ["ec2:CreateSecurityGroup"], `${ec2}:vpc/*`),
    allow("CloudControllerTagGroup", ["ec2:CreateTags"], `${ec2}:security-group/*`, {
      StringEquals: { "ec2:CreateAction": "CreateSecurityGroup" },
    }),
    allow("CloudControllerTagNew", ["elasticloadbalancing:AddTags"], "*", {
      StringEquals: {
        "elasticloadbalancing:CreateAction": [
          "CreateListener",
          "CreateLoadBalancer",
          "CreateTargetGroup",
        ],
      },
    }),
    allow("CloudControllerChange", CHANGE, "*", has),
    allow("CloudControllerServiceRole", ["iam:CreateServiceLinkedRole"], "*", {
      StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" },
    }),
  ];
}
