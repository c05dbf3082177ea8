import { clusterTag } from "../clusterTag";
import {
  allow,
  inRegion,
  partitionOf,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";

/** The tag that the controller puts on all it makes: the cluster's name. */
const CONTROLLER_TAG = "elbv2.k8s.aws/cluster";

/** Questions, which AWS can't narrow; a role has room for no longer list. */
const SEE = [
  "acm:DescribeCertificate",
  "acm:ListCertificates",
  "ec2:Describe*",
  "ec2:GetSecurityGroupsForVpc",
  "elasticloadbalancing:Describe*",
];

/** What it does with load balancers and target groups of the cluster. */
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

/** What it does with listeners and rules, whose tags AWS doesn't ask for in each of these. */
const LISTEN = ["*Listener", "*ListenerCertificates", "*Rule", "*Tags", "SetRulePriorities"].map(
  balancing,
);

/**
 * What the AWS load balancer controller does for ingresses and services. Load balancers, target groups and
 * security groups are held to the tag that it makes them with; listeners and registrations aren't, as
 * in its makers' own policy, so clusters of one account and region could change each other's.
 *
 * Source: docs/install/iam_policy.json of kubernetes-sigs/aws-load-balancer-controller v3.5.0, without Cognito,
 * WAF, Shield, address pools and outposts.
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
    // IAM is one for all regions.
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
