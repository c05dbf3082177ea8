import {
  type _InstanceType,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  type Instance,
  type InstanceAttributeName,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  type Tenancy,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing, waitUntil } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { containsUnknown, type Values } from "../value";
import { reservationRequest, reservationValues } from "./capacityReservation";
import { creditRequest, creditValues } from "./instanceCredits";
import { metadataOptions, privateDnsNameOptions } from "./instanceOptions";
import { instanceOutputs, instanceProperties } from "./instanceProperties";
import { setAttribute, STOPPING, updateInstance, waitForState } from "./instanceUpdate";
import { blockDevices, tagVolumes, volumeValues } from "./instanceVolumes";

const MISSING = ["InvalidInstanceID.NotFound"];

/** `aws.ec2.Instance` */
export const instance: ResourceKind = {
  type: "aws:ec2/instance:Instance",
  title: "instance",
  regional: true,
  inputs: instanceProperties,
  outputs: instanceOutputs,
  tagging: ec2Tagging,

  replacesOn: (property, olds, news) =>
    property === "instanceType"
      ? // The provider uses the answer of DescribeInstanceTypes (terraform-provider-aws PR 36590).
        !containsUnknown(news.values[property]) &&
        isArm(olds.string(property)) !== isArm(news.string(property))
      : (property === "userData" || property === "userDataBase64") &&
        news.boolean("userDataReplaceOnChange") === true,

  // Such a change stops the machine, and AWS gives it another address when it starts.
  reopens: (changed) =>
    STOPPING.some((property) => changed.includes(property)) ? ["publicIp", "publicDns"] : [],

  create: async (context, inputs) => {
    const { Instances } = await context.aws.ec2.send(
      new RunInstancesCommand({
        ...runRequest(context, inputs),
        CreditSpecification: await creditRequest(context, inputs),
      }),
    );
    const id = Instances?.[0]?.InstanceId ?? "";
    return afterCreate(id, async () => {
      await waitForState(context, id, "running");
      if (inputs.boolean("sourceDestCheck") === false) {
        await setAttribute(context, id, { SourceDestCheck: { Value: false } });
      }
      await tagVolumes(context, id, inputs);
    });
  },

  read: async (context, id, state) => {
    const live = await describe(context, id);
    const gone = ["terminated", "shutting-down"];
    return live === undefined || gone.includes(live.State?.Name ?? "")
      ? undefined
      : { ...summary(context, id, live), ...(await details(context, id, live, state)) };
  },

  update: updateInstance,

  delete: async (context, id) => {
    await unlessMissing(MISSING, async () => {
      await context.aws.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
      await waitUntil(`the instance "${id}" to be terminated`, context.signal, async () => {
        const live = await describe(context, id);
        return live === undefined || live.State?.Name === "terminated";
      });
    });
  },
};

/** AWS Graviton types have a `g` after their generation; the first one is `a1`. */
function isArm(instanceType = ""): boolean {
  return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)[.-]/.test(instanceType);
}

function runRequest(context: OperationContext, inputs: Inputs): RunInstancesCommandInput {
  const text = inputs.string("userData");
  const profile = inputs.filled("iamInstanceProfile");
  const tenancy = inputs.string("tenancy") as Tenancy | undefined;
  const names = inputs.block("privateDnsNameOptions");
  const options = inputs.block("metadataOptions");
  return {
    MinCount: 1,
    MaxCount: 1,
    ImageId: inputs.requiredString("ami"),
    InstanceType: inputs.requiredString("instanceType") as _InstanceType,
    ...placement(inputs),
    KeyName: inputs.string("keyName"),
    IamInstanceProfile: profile === undefined ? undefined : { Name: profile },
    UserData:
      text === undefined ? inputs.string("userDataBase64") : Buffer.from(text).toString("base64"),
    Placement: {
      AvailabilityZone: inputs.string("availabilityZone"),
      ...(tenancy !== undefined && { Tenancy: tenancy }),
      GroupName: inputs.filled("placementGroup"),
    },
    CapacityReservationSpecification: reservationRequest(inputs),
    Monitoring: { Enabled: inputs.boolean("monitoring") ?? false },
    EbsOptimized: inputs.boolean("ebsOptimized"),
    DisableApiTermination: inputs.boolean("disableApiTermination"),
    InstanceInitiatedShutdownBehavior: inputs.string("instanceInitiatedShutdownBehavior") as
      "stop" | "terminate" | undefined,
    MetadataOptions: options && metadataOptions(options),
    PrivateDnsNameOptions: names && privateDnsNameOptions(names),
    BlockDeviceMappings: blockDevices(inputs),
    TagSpecifications: tagSpecifications("instance", context.tagsOf(inputs)),
  };
}

/**
 * EC2 accepts the choice of a public address only in a network interface, together with the
 * interface's other settings.
 */
function placement(inputs: Inputs): Partial<RunInstancesCommandInput> {
  const SubnetId = inputs.string("subnetId");
  const PrivateIpAddress = inputs.string("privateIp");
  const groups = inputs.strings("vpcSecurityGroupIds");
  const wantsAddress = inputs.boolean("associatePublicIpAddress");
  if (wantsAddress === undefined) {
    return { SubnetId, PrivateIpAddress, SecurityGroupIds: groups };
  }
  return {
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId,
        PrivateIpAddress,
        Groups: groups,
        AssociatePublicIpAddress: wantsAddress,
        DeleteOnTermination: true,
      },
    ],
  };
}

async function describe(context: OperationContext, id: string): Promise<Instance | undefined> {
  const found = await unlessMissing(MISSING, () =>
    context.aws.ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] })),
  );
  return found?.Reservations?.[0]?.Instances?.[0];
}

function summary(context: OperationContext, id: string, live: Instance): Values {
  const profile = live.IamInstanceProfile?.Arn;
  const owner = live.NetworkInterfaces?.[0]?.OwnerId;
  return {
    arn: ec2Arn(context, owner, `instance/${id}`),
    ami: live.ImageId ?? "",
    instanceType: live.InstanceType ?? "",
    instanceState: live.State?.Name ?? "",
    subnetId: live.SubnetId ?? "",
    availabilityZone: live.Placement?.AvailabilityZone ?? "",
    tenancy: live.Placement?.Tenancy ?? "default",
    placementGroup: live.Placement?.GroupName ?? "",
    capacityReservationSpecification: reservationValues(live.CapacityReservationSpecification),
    privateIp: live.PrivateIpAddress ?? "",
    privateDns: live.PrivateDnsName ?? "",
    publicIp: live.PublicIpAddress ?? "",
    publicDns: live.PublicDnsName ?? "",
    associatePublicIpAddress: live.PublicIpAddress !== undefined,
    primaryNetworkInterfaceId: live.NetworkInterfaces?.[0]?.NetworkInterfaceId ?? "",
    vpcSecurityGroupIds: (live.SecurityGroups ?? []).map(({ GroupId }) => GroupId ?? ""),
    keyName: live.KeyName ?? "",
    iamInstanceProfile: profile?.split("/").pop() ?? "",
    monitoring: live.Monitoring?.State === "enabled",
    ebsOptimized: live.EbsOptimized ?? false,
    sourceDestCheck: live.SourceDestCheck ?? true,
    privateDnsNameOptions: {
      hostnameType: live.PrivateDnsNameOptions?.HostnameType ?? null,
      enableResourceNameDnsARecord:
        live.PrivateDnsNameOptions?.EnableResourceNameDnsARecord ?? null,
      enableResourceNameDnsAaaaRecord:
        live.PrivateDnsNameOptions?.EnableResourceNameDnsAAAARecord ?? null,
    },
    metadataOptions: {
      httpEndpoint: live.MetadataOptions?.HttpEndpoint ?? "enabled",
      httpTokens: live.MetadataOptions?.HttpTokens ?? "optional",
      httpPutResponseHopLimit: live.MetadataOptions?.HttpPutResponseHopLimit ?? 1,
      httpProtocolIpv6: live.MetadataOptions?.HttpProtocolIpv6 ?? "disabled",
      instanceMetadataTags: live.MetadataOptions?.InstanceMetadataTags ?? "disabled",
    },
    tagsAll: fromTagList(live.Tags),
  };
}

/** Attributes and volumes, which need calls of their own. */
async function details(
  context: OperationContext,
  id: string,
  live: Instance,
  state: Inputs,
): Promise<Values> {
  const attribute = (Attribute: InstanceAttributeName) =>
    context.aws.ec2.send(new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute }));
  const [protection, shutdown, userData] = await Promise.all([
    attribute("disableApiTermination"),
    attribute("instanceInitiatedShutdownBehavior"),
    attribute("userData"),
  ]);
  const encoded = userData.UserData?.Value ?? "";
  return {
    disableApiTermination: protection.DisableApiTermination?.Value ?? false,
    instanceInitiatedShutdownBehavior: shutdown.InstanceInitiatedShutdownBehavior?.Value ?? "stop",
    ...(state.has("userData")
      ? { userData: Buffer.from(encoded, "base64").toString("utf8") }
      : encoded !== "" && { userDataBase64: encoded }),
    ...(await creditValues(context, id, live.InstanceType ?? "")),
    ...(await volumeValues(context, live)),
  };
}
