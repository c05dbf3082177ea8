import type {
  _InstanceType,
  MarketType,
  RequestLaunchTemplateData,
  ResourceType,
  ResponseLaunchTemplateData,
  ShutdownBehavior,
  Tenancy,
  VolumeType,
} from "@aws-sdk/client-ec2";
import { Inputs } from "../inputs";
import { fromTagList, toTagList } from "../tags";
import type { Value, Values } from "../value";
import { reservationRequest, reservationValues } from "./capacityReservation";
import { metadataOptions, privateDnsNameOptions } from "./instanceOptions";

/** The data of a template with these inputs, in EC2's form. */
export function templateData(inputs: Inputs): RequestLaunchTemplateData {
  const monitoring = inputs.block("monitoring");
  const profile = inputs.block("iamInstanceProfile");
  const credits = inputs.block("creditSpecification")?.string("cpuCredits");
  const metadata = inputs.block("metadataOptions");
  const names = inputs.block("privateDnsNameOptions");
  const placement = inputs.block("placement");
  return {
    // EC2 requires at least one field.
    UserData: inputs.string("userData") ?? "",
    ImageId: inputs.string("imageId"),
    InstanceType: inputs.string("instanceType") as _InstanceType | undefined,
    KeyName: inputs.string("keyName"),
    SecurityGroupIds: inputs.strings("vpcSecurityGroupIds"),
    EbsOptimized: flag(inputs, "ebsOptimized"),
    DisableApiTermination: inputs.boolean("disableApiTermination"),
    DisableApiStop: inputs.boolean("disableApiStop"),
    InstanceInitiatedShutdownBehavior: inputs.string("instanceInitiatedShutdownBehavior") as
      ShutdownBehavior | undefined,
    BlockDeviceMappings: listOf(inputs.blocks("blockDeviceMappings").map(blockDevice)),
    CapacityReservationSpecification: reservationRequest(inputs),
    CreditSpecification: credits === undefined ? undefined : { CpuCredits: credits },
    IamInstanceProfile: profile && { Arn: profile.string("arn"), Name: profile.string("name") },
    InstanceMarketOptions: marketOptions(inputs.block("instanceMarketOptions")),
    MetadataOptions: metadata && metadataOptions(metadata),
    Monitoring: monitoring && { Enabled: monitoring.boolean("enabled") },
    NetworkInterfaces: listOf(inputs.blocks("networkInterfaces").map(networkInterface)),
    Placement: placement && {
      AvailabilityZone: placement.string("availabilityZone"),
      GroupName: placement.string("groupName"),
      Tenancy: placement.string("tenancy") as Tenancy | undefined,
    },
    PrivateDnsNameOptions: names && privateDnsNameOptions(names),
    TagSpecifications: listOf(
      inputs.blocks("tagSpecifications").map((specification) => ({
        ResourceType: specification.string("resourceType") as ResourceType | undefined,
        Tags: toTagList(specification.map("tags")),
      })),
    ),
  };
}

/** The properties of a template, from one of its versions in EC2. */
export function templateValues(data: ResponseLaunchTemplateData): Values {
  const { MetadataOptions: metadata, PrivateDnsNameOptions: names } = data;
  return {
    userData: text(data.UserData),
    imageId: text(data.ImageId),
    instanceType: text(data.InstanceType),
    keyName: text(data.KeyName),
    vpcSecurityGroupIds: data.SecurityGroupIds ?? null,
    ebsOptimized: flagText(data.EbsOptimized),
    disableApiTermination: data.DisableApiTermination ?? null,
    disableApiStop: data.DisableApiStop ?? null,
    instanceInitiatedShutdownBehavior: text(data.InstanceInitiatedShutdownBehavior),
    blockDeviceMappings:
      data.BlockDeviceMappings?.map(({ DeviceName, Ebs }) => ({
        deviceName: text(DeviceName),
        ebs: {
          deleteOnTermination: flagText(Ebs?.DeleteOnTermination),
          encrypted: flagText(Ebs?.Encrypted),
          iops: Ebs?.Iops ?? null,
          kmsKeyId: text(Ebs?.KmsKeyId),
          snapshotId: text(Ebs?.SnapshotId),
          throughput: Ebs?.Throughput ?? null,
          volumeSize: Ebs?.VolumeSize ?? null,
          volumeType: text(Ebs?.VolumeType),
        },
      })) ?? null,
    capacityReservationSpecification: reservationValues(data.CapacityReservationSpecification),
    creditSpecification: block({ cpuCredits: text(data.CreditSpecification?.CpuCredits) }),
    iamInstanceProfile: block({
      arn: text(data.IamInstanceProfile?.Arn),
      name: text(data.IamInstanceProfile?.Name),
    }),
    instanceMarketOptions: block({ marketType: text(data.InstanceMarketOptions?.MarketType) }),
    metadataOptions: block({
      httpEndpoint: text(metadata?.HttpEndpoint),
      httpTokens: text(metadata?.HttpTokens),
      httpPutResponseHopLimit: metadata?.HttpPutResponseHopLimit ?? null,
      httpProtocolIpv6: text(metadata?.HttpProtocolIpv6),
      instanceMetadataTags: text(metadata?.InstanceMetadataTags),
    }),
    monitoring: block({ enabled: data.Monitoring?.Enabled ?? null }),
    networkInterfaces:
      data.NetworkInterfaces?.map((live) => ({
        associatePublicIpAddress: flagText(live.AssociatePublicIpAddress),
        deleteOnTermination: flagText(live.DeleteOnTermination),
        description: text(live.Description),
        deviceIndex: live.DeviceIndex ?? null,
        ipv6AddressCount: live.Ipv6AddressCount ?? null,
        securityGroups: live.Groups ?? null,
        subnetId: text(live.SubnetId),
      })) ?? null,
    placement: block({
      availabilityZone: text(data.Placement?.AvailabilityZone),
      groupName: text(data.Placement?.GroupName),
      tenancy: text(data.Placement?.Tenancy),
    }),
    privateDnsNameOptions: block({
      enableResourceNameDnsARecord: names?.EnableResourceNameDnsARecord ?? null,
      enableResourceNameDnsAaaaRecord: names?.EnableResourceNameDnsAAAARecord ?? null,
      hostnameType: text(names?.HostnameType),
    }),
    tagSpecifications:
      data.TagSpecifications?.map((specification) => ({
        resourceType: text(specification.ResourceType),
        tags: fromTagList(specification.Tags),
      })) ?? null,
  };
}

function blockDevice(mapping: Inputs) {
  const ebs = mapping.block("ebs") ?? new Inputs({});
  return {
    DeviceName: mapping.string("deviceName"),
    Ebs: {
      DeleteOnTermination: flag(ebs, "deleteOnTermination"),
      Encrypted: flag(ebs, "encrypted"),
      Iops: ebs.number("iops"),
      KmsKeyId: ebs.string("kmsKeyId"),
      SnapshotId: ebs.string("snapshotId"),
      Throughput: ebs.number("throughput"),
      VolumeSize: ebs.number("volumeSize"),
      VolumeType: ebs.string("volumeType") as VolumeType | undefined,
    },
  };
}

function networkInterface(nic: Inputs) {
  return {
    AssociatePublicIpAddress: flag(nic, "associatePublicIpAddress"),
    DeleteOnTermination: flag(nic, "deleteOnTermination"),
    Description: nic.string("description"),
    DeviceIndex: nic.number("deviceIndex") ?? 0,
    Groups: nic.strings("securityGroups"),
    Ipv6AddressCount: nic.number("ipv6AddressCount"),
    SubnetId: nic.string("subnetId"),
  };
}

function marketOptions(
  options: Inputs | undefined,
): RequestLaunchTemplateData["InstanceMarketOptions"] {
  const spot = options?.block("spotOptions");
  return (
    options && {
      MarketType: options.string("marketType") as MarketType | undefined,
      SpotOptions: spot && {
        InstanceInterruptionBehavior: spot.string("instanceInterruptionBehavior") as
          "hibernate" | "stop" | "terminate" | undefined,
        MaxPrice: spot.string("maxPrice"),
        SpotInstanceType: spot.string("spotInstanceType") as "one-time" | "persistent" | undefined,
      },
    }
  );
}

function flag(inputs: Inputs, name: string): boolean | undefined {
  const value = inputs.string(name);
  return value === undefined || value === "" ? undefined : value === "true";
}

function flagText(value: boolean | undefined): Value {
  return value === undefined ? null : String(value);
}

function text(value: string | undefined): Value {
  return value === undefined || value === "" ? null : value;
}

/** A block; undefined without any field. */
function block(fields: Values): Value {
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

function listOf<T>(items: readonly T[]): T[] | undefined {
  return items.length === 0 ? undefined : [...items];
}
