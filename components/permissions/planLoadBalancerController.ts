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

/** Read calls, which AWS can't limit. Wildcards keep the role's policies short. */
const SEE = [
  "acm:DescribeCertificate",
  "acm:ListCertificates",
  "ec2:Describe*",
  "ec2:GetSecurityGroupsForVpc",
  "elasticloadbalancing:Describe*",
];

/** Calls for load balancers and target groups of the cluster. */
const CHANGE = [
  "AddTags",
  "Delete*",
  "ModifyIpPools",
  "ModifyListenerAttributes",
  "ModifyLoadBalancerAttributes",
  "ModifyTargetGroup*",
  "RemoveTags",
  "SetIpAddressType",
  "SetSecurityGroups",
  "SetSubnets",
].map(balancing);

/** Calls for listeners and rules. AWS doesn't check tags in each of them. */
const LISTEN = ["*Listener", "*ListenerCertificates", "*Rule", "*Tags", "SetRulePriorities"].map(
  balancing,
);

/**
 * The permissions of the AWS load balancer controller for ingresses and services. Load balancers,
 * target groups and security groups are limited to those with the tag of their creation. Listeners
 * and registrations are not, as in upstream's own policy. So clusters of one account and region
 * could change each other's.
 *
 * Source: docs/install/iam_policy.json of kubernetes-sigs/aws-load-balancer-controller v3.5.0,
 * without Cognito, WAF, Shield, address pools and outposts.
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
    allow("BalancersListen", LISTEN, listeners),
    allow("BalancersAddListener", [balancing("CreateListener")], balancers),
    allow(
      "BalancersRegister",
      ["RegisterTargets", "DeregisterTargets"].map(balancing),
      targetGroups,
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
