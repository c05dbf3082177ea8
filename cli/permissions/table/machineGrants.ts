import {
  anywhere,
  arn,
  type Grant,
  type GrantedResource,
  grant,
  type GrantsOf,
  serviceRole,
} from "../grant";
import { ec2Grants } from "./networkGrants";

/** What an instance can be launched with. */
const LAUNCHED =
  "instance image subnet security-group network-interface volume launch-template placement-group capacity-reservation";
const TAGGED = "instance volume network-interface";

/**
 * What a caller needs to create volumes that a customer's key encrypts: Amazon EBS user guide. A key that the
 * same stack creates has no id before.
 */
function encrypting(resource: GrantedResource, property: string): Grant[] {
  const keys = [
    ...resource.arns(property).filter((each) => each.includes(":kms:")),
    ...(resource.hasUnknown(property, "kmsKeyId") ? [arn(resource, "kms", "key/*")] : []),
  ];
  if (keys.length === 0) {
    return [];
  }
  return [
    grant("kms", ["Decrypt", "DescribeKey", "GenerateDataKeyWithoutPlaintext", "ReEncrypt*"], keys),
    grant("kms", ["CreateGrant"], keys, { Bool: { "kms:GrantIsForAWSResource": "true" } }),
  ];
}

function groupArn(resource: GrantedResource, name: string): string {
  return arn(resource, "autoscaling", `autoScalingGroup:*:autoScalingGroupName/${name}`);
}

/** Machines, their volumes and groups. Sources as of `networkGrants`, and Amazon EC2 Auto Scaling's page. */
export const machineGrants: Readonly<Record<string, GrantsOf>> = {
  "aws:ec2/instance:Instance": (resource) => [
    ...ec2Grants(resource, {
      on: {
        [LAUNCHED]: ["RunInstances"],
        instance: [
          "StartInstances",
          "StopInstances",
          "TerminateInstances",
          "ModifyInstanceAttribute",
          "ModifyInstanceMetadataOptions",
          "ModifyPrivateDnsNameOptions",
          "MonitorInstances",
          "UnmonitorInstances",
          "AssociateIamInstanceProfile",
          "DisassociateIamInstanceProfile",
          "ReplaceIamInstanceProfileAssociation",
          "ModifyInstanceCapacityReservationAttributes",
          "ModifyInstanceCreditSpecification",
          // It proves a machine that waits for its first configuration.
          "GetConsoleOutput",
        ],
        "instance security-group": ["ModifyInstanceAttribute"],
        "network-interface security-group": ["ModifyNetworkInterfaceAttribute"],
        volume: ["ModifyVolume"],
      },
      reads: [
        "DescribeInstances",
        "DescribeInstanceAttribute",
        "DescribeInstanceTypes",
        "DescribeInstanceCreditSpecifications",
        "DescribeIamInstanceProfileAssociations",
        "DescribeVolumes",
        "DescribeVolumesModifications",
        "DescribeImages",
        "DescribeTags",
        "DescribeNetworkInterfaces",
        "DescribeInstanceStatus",
        "DescribeLaunchTemplates",
        "DescribeVpcs",
        "DescribeSubnets",
        "DescribeSecurityGroups",
      ],
      tagged: TAGGED,
    }),
    ...encrypting(resource, "rootBlockDevice"),
    ...encrypting(resource, "ebsBlockDevices"),
  ],
  "aws:ebs/volume:Volume": (resource) => [
    ...ec2Grants(resource, {
      on: { "volume snapshot": ["CreateVolume"], volume: ["DeleteVolume", "ModifyVolume"] },
      reads: ["DescribeVolumes", "DescribeVolumesModifications"],
      tagged: "volume",
    }),
    ...encrypting(resource, "kmsKeyId"),
  ],
  "aws:ec2/volumeAttachment:VolumeAttachment": (resource) =>
    ec2Grants(resource, {
      on: { "volume instance": ["AttachVolume", "DetachVolume"], instance: ["StopInstances"] },
      reads: ["DescribeVolumes", "DescribeInstances"],
    }),
  "aws:ec2/launchTemplate:LaunchTemplate": (resource) => [
    ...ec2Grants(resource, {
      on: {
        "launch-template": [
          "CreateLaunchTemplate",
          "CreateLaunchTemplateVersion",
          "ModifyLaunchTemplate",
          "DeleteLaunchTemplate",
        ],
      },
      reads: ["DescribeLaunchTemplates", "DescribeLaunchTemplateVersions"],
      tagged: "launch-template",
    }),
    ...encrypting(resource, "blockDeviceMappings"),
  ],
  "aws:ec2/placementGroup:PlacementGroup": (resource) =>
    ec2Grants(resource, {
      on: { "placement-group": ["CreatePlacementGroup", "DeletePlacementGroup"] },
      reads: ["DescribePlacementGroups"],
      tagged: "placement-group",
    }),
  "aws:autoscaling/lifecycleHook:LifecycleHook": (resource) => [
    grant(
      "autoscaling",
      ["PutLifecycleHook", "DeleteLifecycleHook"],
      [groupArn(resource, resource.text("autoscalingGroupName").replace(/-[0-9a-f]{7}$/, "-*"))],
    ),
    anywhere("autoscaling", "DescribeLifecycleHooks"),
  ],
  "aws:autoscaling/group:Group": (resource) => [
    grant(
      "autoscaling",
      [
        "CreateAutoScalingGroup",
        "UpdateAutoScalingGroup",
        "DeleteAutoScalingGroup",
        "CreateOrUpdateTags",
        "DeleteTags",
        "SetInstanceProtection",
        "EnableMetricsCollection",
        "DisableMetricsCollection",
        "SuspendProcesses",
        "ResumeProcesses",
        "StartInstanceRefresh",
        "CancelInstanceRefresh",
        "AttachLoadBalancerTargetGroups",
        "DetachLoadBalancerTargetGroups",
        "AttachTrafficSources",
        "DetachTrafficSources",
      ],
      [groupArn(resource, resource.text("name"))],
    ),
    anywhere(
      "autoscaling",
      "DescribeAutoScalingGroups",
      "DescribeScalingActivities",
      "DescribeWarmPool",
      "DescribeInstanceRefreshes",
      "DescribeLoadBalancerTargetGroups",
      "DescribeTags",
      "DescribeLoadBalancers",
      "DescribeTrafficSources",
    ),
    // The group launches with its caller's right to use the launch template.
    ...ec2Grants(resource, {
      on: { [LAUNCHED]: ["RunInstances"] },
      reads: [
        "DescribeInstances",
        "DescribeLaunchTemplates",
        "DescribeLaunchTemplateVersions",
        "DescribeImages",
        "DescribeSubnets",
        "DescribeSecurityGroups",
        "DescribeInstanceTypes",
      ],
      tagged: TAGGED,
    }),
    serviceRole(resource, "autoscaling"),
  ],
};
