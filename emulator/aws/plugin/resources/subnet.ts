import {
  CreateSubnetCommand,
  DeleteSubnetCommand,
  DescribeSubnetsCommand,
  ModifySubnetAttributeCommand,
  type HostnameType,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing, waitUntil } from "../awsErrors";
import { ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidSubnetID.NotFound"];

/** `aws.ec2.Subnet` */
export const subnet: ResourceKind = {
  type: "aws:ec2/subnet:Subnet",
  title: "subnet",
  regional: true,
  inputs: {
    vpcId: { type: "string", required: true, replaces: true },
    cidrBlock: { type: "string", required: true, replaces: true },
    availabilityZone: { type: "string", computed: true, replaces: true },
    availabilityZoneId: { type: "string", computed: true, replaces: true },
    mapPublicIpOnLaunch: { type: "boolean", default: false },
    assignIpv6AddressOnCreation: { type: "boolean", default: false },
    enableResourceNameDnsARecordOnLaunch: { type: "boolean", default: false },
    privateDnsHostnameTypeOnLaunch: { type: "string", computed: true },
  },
  outputs: ["arn", "ownerId", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { Subnet } = await context.aws.ec2.send(
      new CreateSubnetCommand({
        VpcId: inputs.requiredString("vpcId"),
        CidrBlock: inputs.requiredString("cidrBlock"),
        AvailabilityZone: inputs.string("availabilityZone"),
        AvailabilityZoneId: inputs.string("availabilityZoneId"),
        TagSpecifications: tagSpecifications("subnet", context.tagsOf(inputs)),
      }),
    );
    const id = Subnet?.SubnetId ?? "";
    return afterCreate(id, async () => {
      await waitUntil(`the subnet "${id}" to be available`, context.signal, async () => {
        const { Subnets } = await context.aws.ec2.send(
          new DescribeSubnetsCommand({ SubnetIds: [id] }),
        );
        return Subnets?.[0]?.State === "available" ? true : undefined;
      });
      await setAttributes(context, id, inputs, () => true);
    });
  },

  read: async (context, id) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id] })),
    );
    const live = found?.Subnets?.[0];
    if (live === undefined) {
      return undefined;
    }
    const names = live.PrivateDnsNameOptionsOnLaunch;
    return {
      arn: live.SubnetArn ?? "",
      vpcId: live.VpcId ?? "",
      cidrBlock: live.CidrBlock ?? "",
      availabilityZone: live.AvailabilityZone ?? "",
      availabilityZoneId: live.AvailabilityZoneId ?? "",
      mapPublicIpOnLaunch: live.MapPublicIpOnLaunch ?? false,
      assignIpv6AddressOnCreation: live.AssignIpv6AddressOnCreation ?? false,
      enableResourceNameDnsARecordOnLaunch: names?.EnableResourceNameDnsARecord ?? false,
      privateDnsHostnameTypeOnLaunch: names?.HostnameType ?? "ip-name",
      ownerId: live.OwnerId ?? "",
      tagsAll: fromTagList(live.Tags),
    };
  },

  update: (context, id, { news, touches }) => setAttributes(context, id, news, touches),

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation"], signal, () =>
        aws.ec2.send(new DeleteSubnetCommand({ SubnetId: id })),
      ),
    );
  },
};

/** EC2 takes one attribute a call. */
async function setAttributes(
  context: OperationContext,
  id: string,
  inputs: Inputs,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const flag = (name: string) => {
    const Value = inputs.boolean(name);
    return isWanted(name) && Value !== undefined ? { Value } : undefined;
  };
  const hostnameType = inputs.string("privateDnsHostnameTypeOnLaunch") as HostnameType | undefined;
  const changes = [
    { MapPublicIpOnLaunch: flag("mapPublicIpOnLaunch") },
    { AssignIpv6AddressOnCreation: flag("assignIpv6AddressOnCreation") },
    { EnableResourceNameDnsARecordOnLaunch: flag("enableResourceNameDnsARecordOnLaunch") },
    {
      PrivateDnsHostnameTypeOnLaunch: isWanted("privateDnsHostnameTypeOnLaunch")
        ? hostnameType
        : undefined,
    },
  ];
  for (const change of changes) {
    if (Object.values(change).some((value) => value !== undefined)) {
      await context.aws.ec2.send(new ModifySubnetAttributeCommand({ SubnetId: id, ...change }));
    }
  }
}
