import type { AddOnName } from "../../../components/addOns/registry";
import { ACCOUNT, type Call, REGION } from "./judgePolicy";

/** A call that an add-on makes, and the same for another cluster. */
export interface AddOnCall {
  /** For this cluster: it needs this. */
  readonly own: Call;
  /** The same on what another cluster has, or makes; undefined where that can't be told. */
  readonly foreign?: Call;
}

type Tags = (cluster: string) => Readonly<Record<string, string>>;

/** The cluster whose policies are judged, and another one of the account. */
export const CLUSTER = "prod";
const OTHER = "other";

const ofCluster: Tags = (cluster) => ({ [`kubernetes.io/cluster/${cluster}`]: "owned" });
const ofController: Tags = (cluster) => ({ "elbv2.k8s.aws/cluster": cluster });
const ofDriver: Tags = (cluster) => ({
  "ebs.csi.aws.com/cluster": "true",
  "ebs.csi.aws.com/cluster-name": cluster,
});
const ofAutoscaler: Tags = (cluster) => ({ [`k8s.io/cluster-autoscaler/${cluster}`]: "owned" });

const ofPool: Tags = (cluster) => ({ ...ofCluster(cluster), "karpenter.sh/nodepool": "spot" });

const ec2 = (path: string) => `arn:aws:ec2:${REGION}:${ACCOUNT}:${path}`;
const elb = (path: string) => `arn:aws:elasticloadbalancing:${REGION}:${ACCOUNT}:${path}`;
const asContext = (kind: "RequestTag" | "ResourceTag", tags: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:${kind}/${key}`, value]));

/** Calls that change, or name, what has the cluster's tags. */
function changes(resource: string, tags: Tags, ...actions: string[]): AddOnCall[] {
  return actions.map((action) => ({
    own: { action, resource, context: asContext("ResourceTag", tags(CLUSTER)) },
    foreign: { action, resource, context: asContext("ResourceTag", tags(OTHER)) },
  }));
}

/** Calls that create something with the cluster's tags. */
function makes(resource: string, tags: Tags, more: Call["context"], ...actions: string[]) {
  return actions.map((action): AddOnCall => ({
    own: { action, resource, context: { ...asContext("RequestTag", tags(CLUSTER)), ...more } },
    foreign: { action, resource, context: { ...asContext("RequestTag", tags(OTHER)), ...more } },
  }));
}

/** Calls for what no tag tells apart. */
function uses(resource: string, context: Call["context"], ...actions: string[]): AddOnCall[] {
  return actions.map((action) => ({ own: { action, resource, ...(context && { context }) } }));
}

const SERVICE_ROLE = uses(
  `arn:aws:iam::${ACCOUNT}:role/aws-service-role/elasticloadbalancing.amazonaws.com/AWSServiceRoleForElasticLoadBalancing`,
  { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" },
  "iam:CreateServiceLinkedRole",
);
const group = ec2("security-group/sg-0123456789abcdef0");
const volume = ec2("volume/vol-0123456789abcdef0");
const instance = ec2("instance/i-0123456789abcdef0");
const launchTemplate = ec2("launch-template/lt-0123456789abcdef0");
const image = `arn:aws:ec2:${REGION}::image/ami-0123456789abcdef0`;
const LAUNCH = ["ec2:CreateFleet", "ec2:RunInstances"];
const snapshot = `arn:aws:ec2:${REGION}::snapshot/snap-0123456789abcdef0`;
const [classic, net, app] = [
  elb("loadbalancer/a"),
  ...["net", "app"].map((kind) => elb(`loadbalancer/${kind}/a/0123456789abcdef`)),
] as [string, string, string];
const targets = elb("targetgroup/a/0123456789abcdef");
const listener = (kind: string) => elb(`listener/${kind}/a/0123456789abcdef/0123456789abcdef`);
const rule = elb("listener-rule/app/a/0123456789abcdef/0123456789abcdef/0123456789abcdef");
const balancing = (...names: string[]) => names.map((name) => `elasticloadbalancing:${name}`);
const createdBy = (name: string) => ({ "elasticloadbalancing:CreateAction": name });

const zone = (id: string) => `arn:aws:route53:::hostedzone/${id}`;
/** The log group of the cluster's audit log. */
export const AUDIT_GROUP = "/talos/prod/audit";
const logGroup = (name: string) => `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${name}`;
/** The queue that tells Karpenter of interruptions. */
export const QUEUE = "karpenter-prod";
const profile = (name: string) => `arn:aws:iam::${ACCOUNT}:instance-profile/${name}`;
const queue = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
/** The zone that external-dns may change. */
export const ZONE_ID = "Z0123456789ABCDEFGHIJ";

/**
 * The calls of each add-on, besides the questions that AWS ties to nothing. Sources: upstream's policies in
 * `addOnActions.json`; pkg/providers/v1 of kubernetes/cloud-provider-aws v1.36.2; pkg/cloud/cloud.go of
 * kubernetes-sigs/aws-ebs-csi-driver v1.64.0; plugins/out_cloudwatch_logs of fluent/fluent-bit v5.1.1; cloudprovider/aws of kubernetes/autoscaler, release
 * 1.36.1; pkg/providers of aws/karpenter-provider-aws v1.15.2; pkg/deploy of kubernetes-sigs/aws-load-balancer-controller v3.5.0.
 */
export const ADD_ON_CALLS = {
  cloudController: [
    ...makes(group, ofCluster, {}, "ec2:CreateSecurityGroup"),
    ...uses(ec2("vpc/vpc-0123456789abcdef0"), undefined, "ec2:CreateSecurityGroup"),
    ...uses(group, { "ec2:CreateAction": "CreateSecurityGroup" }, "ec2:CreateTags"),
    ...changes(
      group,
      ofCluster,
      "ec2:AuthorizeSecurityGroupIngress",
      "ec2:RevokeSecurityGroupIngress",
      "ec2:DeleteSecurityGroup",
    ),
    ...[net, classic].flatMap((one) =>
      makes(one, ofCluster, {}, ...balancing("CreateLoadBalancer")),
    ),
    ...makes(targets, ofCluster, {}, ...balancing("CreateTargetGroup")),
    ...[net, targets]
      .flatMap((one) =>
        makes(
          one,
          ofCluster,
          createdBy(one === net ? "CreateLoadBalancer" : "CreateTargetGroup"),
          ...balancing("AddTags"),
        ),
      )
      .map(({ own }) => ({ own })),
    ...makes(
      net,
      ofCluster,
      asContext("ResourceTag", ofCluster(CLUSTER)),
      ...balancing("CreateListener"),
    ),
    ...changes(net, ofCluster, ...balancing("AddTags", "DeleteLoadBalancer")),
    ...changes(net, ofCluster, ...balancing("ModifyLoadBalancerAttributes", "SetSecurityGroups")),
    ...changes(listener("net"), ofCluster, ...balancing("DeleteListener", "ModifyListener")),
    ...changes(
      targets,
      ofCluster,
      ...balancing("DeleteTargetGroup", "ModifyTargetGroup", "ModifyTargetGroupAttributes"),
      ...balancing("RegisterTargets", "DeregisterTargets"),
    ),
    ...changes(
      classic,
      ofCluster,
      ...balancing(
        "AddTags",
        "ApplySecurityGroupsToLoadBalancer",
        "AttachLoadBalancerToSubnets",
        "ConfigureHealthCheck",
        "CreateLoadBalancerListeners",
        "CreateLoadBalancerPolicy",
        "DeleteLoadBalancer",
        "DeleteLoadBalancerListeners",
        "DetachLoadBalancerFromSubnets",
        "DeregisterInstancesFromLoadBalancer",
        "ModifyLoadBalancerAttributes",
        "RegisterInstancesWithLoadBalancer",
        "SetLoadBalancerPoliciesForBackendServer",
        "SetLoadBalancerPoliciesOfListener",
      ),
    ),
    ...SERVICE_ROLE,
  ],
  ebsCsi: [
    ...makes(volume, ofDriver, {}, "ec2:CreateVolume", "ec2:CopyVolumes"),
    ...makes(snapshot, ofDriver, {}, "ec2:CreateSnapshot"),
    ...changes(volume, ofDriver, "ec2:CreateSnapshot", "ec2:CopyVolumes"),
    ...changes(snapshot, ofDriver, "ec2:CreateVolume", "ec2:DeleteSnapshot"),
    ...uses(volume, { "ec2:CreateAction": "CreateVolume" }, "ec2:CreateTags"),
    ...uses(snapshot, { "ec2:CreateAction": "CreateSnapshot" }, "ec2:CreateTags"),
    ...changes(volume, ofDriver, "ec2:AttachVolume", "ec2:DetachVolume"),
    ...changes(instance, ofCluster, "ec2:AttachVolume", "ec2:DetachVolume"),
    ...changes(volume, ofDriver, "ec2:DeleteVolume", "ec2:ModifyVolume"),
  ],
  clusterAutoscaler: changes(
    `arn:aws:autoscaling:${REGION}:${ACCOUNT}:autoScalingGroup:0123:autoScalingGroupName/a`,
    ofAutoscaler,
    ...["SetDesiredCapacity", "TerminateInstanceInAutoScalingGroup"].map(
      (name) => `autoscaling:${name}`,
    ),
  ),
  loadBalancerController: [
    ...makes(app, ofController, {}, ...balancing("CreateLoadBalancer")),
    ...makes(net, ofController, {}, ...balancing("CreateLoadBalancer")),
    ...makes(targets, ofController, {}, ...balancing("CreateTargetGroup")),
    ...makes(app, ofController, createdBy("CreateLoadBalancer"), ...balancing("AddTags")),
    ...makes(targets, ofController, createdBy("CreateTargetGroup"), ...balancing("AddTags")),
    ...changes(
      app,
      ofController,
      ...balancing("AddTags", "CreateListener", "DeleteLoadBalancer", "ModifyIpPools"),
      ...balancing("ModifyLoadBalancerAttributes", "RemoveTags", "SetIpAddressType"),
      ...balancing("SetSecurityGroups", "SetSubnets"),
    ),
    ...changes(
      targets,
      ofController,
      ...balancing("AddTags", "DeleteTargetGroup", "ModifyTargetGroup", "RemoveTags"),
      ...balancing("ModifyTargetGroupAttributes", "RegisterTargets", "DeregisterTargets"),
    ),
    // Target groups of users, which a TargetGroupBinding names, have no tag of a controller.
    ...uses(targets, undefined, ...balancing("RegisterTargets", "DeregisterTargets")),
    ...changes(
      listener("app"),
      ofController,
      ...balancing("AddListenerCertificates", "AddTags", "CreateRule", "DeleteListener"),
      ...balancing("ModifyListener", "ModifyListenerAttributes", "RemoveListenerCertificates"),
      ...balancing("RemoveTags"),
    ),
    ...changes(
      rule,
      ofController,
      ...balancing("AddTags", "DeleteRule", "ModifyRule", "RemoveTags", "SetRulePriorities"),
    ),
    ...makes(group, ofController, {}, "ec2:CreateSecurityGroup").map(({ own }) => ({ own })),
    ...uses(
      ec2("vpc/vpc-0123456789abcdef0"),
      undefined,
      "ec2:CreateSecurityGroup",
      "ec2:GetSecurityGroupsForVpc",
    ),
    ...makes(group, ofController, { "ec2:CreateAction": "CreateSecurityGroup" }, "ec2:CreateTags"),
    ...changes(group, ofController, "ec2:CreateTags", "ec2:DeleteTags", "ec2:DeleteSecurityGroup"),
    ...[ofController, ofCluster].flatMap((tags) =>
      changes(group, tags, "ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"),
    ),
    ...uses(
      `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/0123`,
      undefined,
      "acm:DescribeCertificate",
    ),
    ...uses(`arn:aws:iam::${ACCOUNT}:server-certificate/a`, undefined, "iam:GetServerCertificate"),
    ...SERVICE_ROLE,
  ],
  externalDns: ["ChangeResourceRecordSets", "ListResourceRecordSets", "ListTagsForResources"].map(
    (name) => ({
      own: { action: `route53:${name}`, resource: zone(ZONE_ID) },
      foreign: { action: `route53:${name}`, resource: zone("Z9999999999AAAAAAAAAA") },
    }),
  ),
  auditLog: [
    {
      own: {
        action: "logs:CreateLogStream",
        resource: `${logGroup(AUDIT_GROUP)}:log-stream:ip-10-0-0-4`,
      },
      foreign: {
        action: "logs:CreateLogStream",
        resource: `${logGroup("/talos/other/audit")}:log-stream:ip-10-0-0-4`,
      },
    },
    {
      own: {
        action: "logs:PutLogEvents",
        resource: `${logGroup(AUDIT_GROUP)}:log-stream:ip-10-0-0-4`,
      },
      foreign: {
        action: "logs:PutLogEvents",
        resource: `${logGroup(`${AUDIT_GROUP}2`)}:log-stream:ip-10-0-0-4`,
      },
    },
  ],
  karpenter: [
    ...uses(group, undefined, "ec2:RunInstances"),
    ...[ec2("subnet/subnet-0123456789abcdef0"), image].flatMap((one) =>
      uses(one, undefined, ...LAUNCH),
    ),
    ...changes(launchTemplate, ofPool, ...LAUNCH, "ec2:DeleteLaunchTemplate"),
    ...[instance, volume, ec2("network-interface/eni-0123456789abcdef0")].flatMap((one) =>
      makes(one, ofPool, {}, "ec2:RunInstances"),
    ),
    ...makes(ec2("fleet/fleet-0123456789abcdef0"), ofPool, {}, "ec2:CreateFleet"),
    ...makes(launchTemplate, ofPool, {}, "ec2:CreateLaunchTemplate"),
    ...makes(instance, ofPool, { "ec2:CreateAction": "RunInstances" }, "ec2:CreateTags"),
    ...changes(instance, ofPool, "ec2:TerminateInstances"),
    {
      own: {
        action: "ec2:CreateTags",
        resource: instance,
        context: { ...asContext("ResourceTag", ofPool(CLUSTER)), "aws:TagKeys": ["Name"] },
      },
      foreign: {
        action: "ec2:CreateTags",
        resource: instance,
        context: {
          ...asContext("ResourceTag", ofPool(CLUSTER)),
          "aws:TagKeys": ["kubernetes.io/cluster/prod"],
        },
      },
    },
    ...uses(
      `arn:aws:iam::${ACCOUNT}:role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot`,
      { "iam:AWSServiceName": "spot.amazonaws.com" },
      "iam:CreateServiceLinkedRole",
    ),
    {
      // With the cluster's name, and a number that follows from that of the EC2NodeClass.
      own: { action: "iam:GetInstanceProfile", resource: profile("prod_6146912339142321862") },
      foreign: { action: "iam:GetInstanceProfile", resource: profile("other_6146912339142321862") },
    },
    ...["DeleteMessage", "GetQueueUrl", "ReceiveMessage"].map((name) => ({
      own: { action: `sqs:${name}`, resource: queue(QUEUE) },
      foreign: { action: `sqs:${name}`, resource: queue("karpenter-other") },
    })),
  ],
} satisfies Partial<Record<AddOnName, readonly AddOnCall[]>>;

/** Add-ons with a role of their own. */
export type AwsAddOnName = keyof typeof ADD_ON_CALLS;
