import {
  DescribeNetworkInterfacesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
} from "@aws-sdk/client-ec2";
import {
  DescribeLoadBalancersCommand as DescribeClassicBalancersCommand,
  DescribeTagsCommand as DescribeClassicTagsCommand,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { GetResourcesCommand } from "@aws-sdk/client-resource-groups-tagging-api";
import { unlessMissing } from "../awsErrors";
import type { FunctionKind } from "../functionKind";
import { fromTagList } from "../tags";
import { filtersProperty, theOnly, toFilters } from "./search";

const TEXT = { type: "string" } as const;
const REQUIRED = { type: "string", required: true } as const;

/** `aws.lb.getLbs`: the ARNs of load balancers that have all of the tags. */
const getLbs: FunctionKind = {
  token: "aws:lb/getLbs:getLbs",
  inputs: { tags: { type: "map" }, region: TEXT },
  invoke: async ({ aws, region }, inputs) => {
    const { LoadBalancers = [] } = await aws.loadBalancing.send(
      new DescribeLoadBalancersCommand({}),
    );
    const all = LoadBalancers.map(({ LoadBalancerArn = "" }) => LoadBalancerArn);
    const { TagDescriptions = [] } =
      all.length === 0
        ? {}
        : await aws.loadBalancing.send(new DescribeTagsCommand({ ResourceArns: all }));
    const wanted = Object.entries(inputs.map("tags"));
    const arns = TagDescriptions.filter(({ Tags }) => {
      const tags = fromTagList(Tags);
      return wanted.every(([key, value]) => tags[key] === value);
    }).map(({ ResourceArn = "" }) => ResourceArn);
    return { id: region, arns };
  },
};

/** `aws.elb.getLoadBalancer`: a classic one, by its name. */
const getClassicBalancer: FunctionKind = {
  token: "aws:elb/getLoadBalancer:getLoadBalancer",
  inputs: { name: REQUIRED, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const name = inputs.requiredString("name");
    const found = await unlessMissing(
      ["AccessPointNotFoundException", "LoadBalancerNotFound"],
      () =>
        aws.classicBalancing.send(
          new DescribeClassicBalancersCommand({ LoadBalancerNames: [name] }),
        ),
    );
    const live = theOnly("ELB Classic Load Balancer", found?.LoadBalancerDescriptions);
    const { TagDescriptions = [] } = await aws.classicBalancing.send(
      new DescribeClassicTagsCommand({ LoadBalancerNames: [name] }),
    );
    return {
      id: name,
      name,
      dnsName: live.DNSName ?? "",
      securityGroups: live.SecurityGroups ?? [],
      subnets: live.Subnets ?? [],
      tags: fromTagList(TagDescriptions[0]?.Tags),
    };
  },
};

/** `aws.ec2.getNetworkInterface`, by its id. */
const getNetworkInterface: FunctionKind = {
  token: "aws:ec2/getNetworkInterface:getNetworkInterface",
  inputs: { id: REQUIRED, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("id");
    const found = await unlessMissing(["InvalidNetworkInterfaceID.NotFound"], () =>
      aws.ec2.send(new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [id] })),
    );
    const live = theOnly("EC2 Network Interface", found?.NetworkInterfaces);
    return {
      id,
      description: live.Description ?? "",
      requesterId: live.RequesterId ?? "",
      subnetId: live.SubnetId ?? "",
      vpcId: live.VpcId ?? "",
      tags: fromTagList(live.TagSet),
    };
  },
};

/** `aws.ec2.getSecurityGroup`, by its id. */
const getSecurityGroup: FunctionKind = {
  token: "aws:ec2/getSecurityGroup:getSecurityGroup",
  inputs: { id: REQUIRED, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("id");
    const found = await unlessMissing(["InvalidGroup.NotFound"], () =>
      aws.ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [id] })),
    );
    const live = theOnly("EC2 Security Group", found?.SecurityGroups);
    return {
      id,
      name: live.GroupName ?? "",
      description: live.Description ?? "",
      vpcId: live.VpcId ?? "",
      tags: fromTagList(live.Tags),
    };
  },
};

/** `aws.ebs.getVolume`, by filters. */
const getVolume: FunctionKind = {
  token: "aws:ebs/getVolume:getVolume",
  inputs: { filters: filtersProperty, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const { Volumes } = await aws.ec2.send(
      new DescribeVolumesCommand({ Filters: toFilters(inputs) }),
    );
    const live = theOnly("EBS Volume", Volumes);
    return {
      id: live.VolumeId ?? "",
      volumeId: live.VolumeId ?? "",
      availabilityZone: live.AvailabilityZone ?? "",
      size: live.Size ?? 0,
      volumeType: live.VolumeType ?? "",
      tags: fromTagList(live.Tags),
    };
  },
};

/** `aws.ebs.getSnapshotIds`, by filters. */
const getSnapshotIds: FunctionKind = {
  token: "aws:ebs/getSnapshotIds:getSnapshotIds",
  inputs: { filters: filtersProperty, owners: { type: "strings" }, region: TEXT },
  invoke: async ({ aws, region }, inputs) => {
    const { Snapshots = [] } = await aws.ec2.send(
      new DescribeSnapshotsCommand({
        Filters: toFilters(inputs),
        OwnerIds: inputs.strings("owners"),
      }),
    );
    return { id: region, ids: Snapshots.map(({ SnapshotId = "" }) => SnapshotId) };
  },
};

/** `aws.ebs.getSnapshot`, by its id. */
const getSnapshot: FunctionKind = {
  token: "aws:ebs/getSnapshot:getSnapshot",
  inputs: { snapshotIds: { type: "strings", required: true }, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const found = await unlessMissing(["InvalidSnapshot.NotFound"], () =>
      aws.ec2.send(new DescribeSnapshotsCommand({ SnapshotIds: inputs.strings("snapshotIds") })),
    );
    const live = theOnly("EBS Snapshot", found?.Snapshots);
    return {
      id: live.SnapshotId ?? "",
      snapshotId: live.SnapshotId ?? "",
      volumeId: live.VolumeId ?? "",
      volumeSize: live.VolumeSize ?? 0,
      tags: fromTagList(live.Tags),
    };
  },
};

/** `aws.resourcegroupstaggingapi.getResources`, by tags and types. */
const getResources: FunctionKind = {
  token: "aws:resourcegroupstaggingapi/getResources:getResources",
  inputs: {
    tagFilters: {
      type: "blocks",
      fields: { key: REQUIRED, values: { type: "strings" } },
    },
    resourceTypeFilters: { type: "strings" },
    region: TEXT,
  },
  invoke: async ({ aws, region }, inputs) => {
    const { ResourceTagMappingList = [] } = await aws.tagging.send(
      new GetResourcesCommand({
        TagFilters: inputs.blocks("tagFilters").map((each) => ({
          Key: each.requiredString("key"),
          Values: each.strings("values"),
        })),
        ResourceTypeFilters: inputs.strings("resourceTypeFilters"),
      }),
    );
    return {
      id: region,
      resourceTagMappingLists: ResourceTagMappingList.map(({ ResourceARN = "", Tags }) => ({
        resourceArn: ResourceARN,
        tags: fromTagList(Tags),
      })),
    };
  },
};

/** Functions that find what controllers in a cluster created. */
export const sweepDetails: readonly FunctionKind[] = [
  getLbs,
  getClassicBalancer,
  getNetworkInterface,
  getSecurityGroup,
  getVolume,
  getSnapshotIds,
  getSnapshot,
  getResources,
];
