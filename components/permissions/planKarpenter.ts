import { clusterTag } from "../clusterTag";
import {
  allow,
  inRegion,
  partitionOf,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";

/** The tag that Karpenter gives all that it makes. */
const POOL_TAG = "karpenter.sh/nodepool";

/** Read calls, which AWS can limit only to a region. None reads user data. */
const SEE = [
  "ec2:DescribeCapacityReservations",
  "ec2:DescribeImages",
  "ec2:DescribeInstances",
  "ec2:DescribeInstanceStatus",
  "ec2:DescribeInstanceTypeOfferings",
  "ec2:DescribeInstanceTypes",
  "ec2:DescribeLaunchTemplates",
  "ec2:DescribePlacementGroups",
  "ec2:DescribeSecurityGroups",
  "ec2:DescribeSpotPriceHistory",
  "ec2:DescribeSubnets",
];

/** What a launch makes. Each of it gets the cluster's tag in the same call. */
const MADE = [
  "fleet",
  "instance",
  "launch-template",
  "network-interface",
  "spot-instances-request",
  "volume",
];

const USED = ["security-group", "subnet"];

/**
 * The permissions of Karpenter: to launch machines with the cluster's tag and its own, and to end what has both. It
 * doesn't make instance profiles, as its pools have theirs from this package. Still it looks for some of its own, and
 * keeps the finalizer of an EC2NodeClass that goes until it may. To pass a pool's role is a statement of its own:
 * `planPassRole`.
 *
 * Source: the CloudFormation template of Karpenter's guide, `website/content/en/preview` of
 * aws/karpenter-provider-aws at August 2026; of v1.15.2, `pkg/utils/utils.go` for the tags, and
 * `pkg/controllers/nodeclass/controller.go` for the instance profiles.
 */
export function planKarpenter(
  scope: PolicyScope,
  queueName: string | undefined,
): PolicyStatement[] {
  if (queueName === undefined) {
    return [];
  }
  const { region, clusterName } = scope;
  const partition = partitionOf(region);
  const ec2 = (kind: string, account = "*") =>
    `arn:${partition}:ec2:${region}:${account}:${kind}/*`;
  const tag = clusterTag(clusterName);
  const asks = {
    StringEquals: { [`aws:RequestTag/${tag}`]: "owned" },
    StringLike: { [`aws:RequestTag/${POOL_TAG}`]: "*" },
  };
  const has = {
    StringEquals: { [`aws:ResourceTag/${tag}`]: "owned" },
    StringLike: { [`aws:ResourceTag/${POOL_TAG}`]: "*" },
  };
  const launch = ["ec2:CreateFleet", "ec2:RunInstances"];
  const made = MADE.map((kind) => ec2(kind));
  return [
    allow("KarpenterSee", SEE, "*", inRegion(scope)),
    // AWS sells in one place, and answers in few regions.
    allow("KarpenterPrices", ["pricing:GetProducts", "iam:ListInstanceProfiles"], "*"),
    // The name that its former releases gave to the instance profile of an EC2NodeClass.
    allow(
      "KarpenterFormerProfiles",
      ["iam:GetInstanceProfile"],
      `arn:${partition}:iam::*:instance-profile/${clusterName}_*`,
    ),
    allow("KarpenterLaunchWith", launch, [
      ec2("image", ""),
      ec2("snapshot", ""),
      ...USED.map((kind) => ec2(kind)),
    ]),
    allow("KarpenterLaunchBy", launch, ec2("launch-template"), has),
    allow("KarpenterLaunch", [...launch, "ec2:CreateLaunchTemplate"], made, asks),
    allow("KarpenterTagNew", ["ec2:CreateTags"], made, {
      StringEquals: {
        ...asks.StringEquals,
        "ec2:CreateAction": ["CreateFleet", "CreateLaunchTemplate", "RunInstances"],
      },
      StringLike: asks.StringLike,
    }),
    allow("KarpenterTag", ["ec2:CreateTags"], ec2("instance"), {
      ...has,
      "ForAllValues:StringEquals": {
        "aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"],
      },
    }),
    allow(
      "KarpenterEnd",
      ["ec2:DeleteLaunchTemplate", "ec2:TerminateInstances"],
      [ec2("instance"), ec2("launch-template")],
      has,
    ),
    // EC2 makes the account's role for spot machines at the first one, if its caller may do so.
    allow(
      "KarpenterSpotRole",
      ["iam:CreateServiceLinkedRole"],
      `arn:${partition}:iam::*:role/aws-service-role/spot.amazonaws.com/*`,
      { StringEquals: { "iam:AWSServiceName": "spot.amazonaws.com" } },
    ),
    allow(
      "KarpenterInterruptions",
      ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
      `arn:${partition}:sqs:${region}:*:${queueName}`,
    ),
  ];
}

/** The permission to give roles to machines: those of a cluster's pools, and no others. */
export function planPassRole(roleArns: readonly string[]): PolicyStatement {
  return allow("KarpenterPassRole", ["iam:PassRole"], roleArns, {
    StringEquals: { "iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] },
  });
}

/** The permission to encrypt volumes of machines with keys other than AWS' own. The keys' policies must allow it, too. */
export function planMachineKeys(kmsKeyArns: readonly string[]): PolicyStatement[] {
  const use = ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey*", "kms:ReEncrypt*"];
  return kmsKeyArns.length === 0
    ? []
    : [
        allow("KarpenterUseKeys", use, kmsKeyArns),
        // A volume uses its key through a grant, which only AWS' own services may request.
        allow("KarpenterLendKeys", ["kms:CreateGrant"], kmsKeyArns, {
          Bool: { "kms:GrantIsForAWSResource": "true" },
        }),
      ];
}

/** What is wrong with the name of a queue; undefined without a problem. Source: SQS API, `CreateQueue`. */
export function queueNameProblem(name: string): string | undefined {
  return /^[\w-]{1,80}$/.test(name)
    ? undefined
    : `"${name}" is no name of a queue: up to 80 letters, digits and "_", "-", as in "karpenter-prod"`;
}
