import {
  AssociateSubnetCidrBlockCommand,
  CreateSubnetCommand,
  DeleteSubnetCommand,
  DescribeSubnetsCommand,
  DisassociateSubnetCidrBlockCommand,
  ModifySubnetAttributeCommand,
  HostnameType,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing, waitUntil } from "../awsErrors";
import { ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { memberOf, networkRange } from "../valueRules";

const MISSING = ["InvalidSubnetID.NotFound"];

/** `aws.ec2.Subnet` */
export const subnet: ResourceKind = {
  type: "aws:ec2/subnet:Subnet",
  title: "subnet",
  regional: true,
  inputs: {
    vpcId: { type: "string", required: true, replaces: true },
    cidrBlock: { type: "string", required: true, replaces: true, rule: networkRange("ipv4") },
    availabilityZone: {
      type: "string",
      computed: true,
      replaces: true,
      conflictsWith: ["availabilityZoneId"],
    },
    availabilityZoneId: { type: "string", computed: true, replaces: true },
    mapPublicIpOnLaunch: { type: "boolean", default: false },
    ipv6CidrBlock: { type: "string", computed: true, rule: networkRange("ipv6") },
    assignIpv6AddressOnCreation: { type: "boolean", default: false },
    enableResourceNameDnsARecordOnLaunch: { type: "boolean", default: false },
    privateDnsHostnameTypeOnLaunch: {
      type: "string",
      computed: true,
      rule: memberOf(HostnameType),
    },
  },
  outputs: ["arn", "ipv6CidrBlockAssociationId", "ownerId", "tagsAll"],
  tagging: ec2Tagging,

  // If machines have addresses of it, the provider replaces the subnet.
  replacesOn: (property, olds) =>
    property === "ipv6CidrBlock" && olds.boolean("assignIpv6AddressOnCreation") === true,

  create: async (context, inputs) => {
    const { Subnet } = await context.aws.ec2.send(
      new CreateSubnetCommand({
        VpcId: inputs.requiredString("vpcId"),
        CidrBlock: inputs.requiredString("cidrBlock"),
        Ipv6CidrBlock: inputs.string("ipv6CidrBlock"),
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
        return Subnets?.[0]?.State === "available";
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
    const ipv6 = live.Ipv6CidrBlockAssociationSet?.find(
      ({ Ipv6CidrBlockState: state }) => state?.State === "associated",
    );
    const names = live.PrivateDnsNameOptionsOnLaunch;
    return {
      arn: live.SubnetArn ?? "",
      vpcId: live.VpcId ?? "",
      cidrBlock: live.CidrBlock ?? "",
      ipv6CidrBlock: ipv6?.Ipv6CidrBlock ?? "",
      ipv6CidrBlockAssociationId: ipv6?.AssociationId ?? "",
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

  update: async (context, id, { news, state, touches }) => {
    const block = news.string("ipv6CidrBlock");
    // A subnet can assign IPv6 addresses only while it has a range.
    const taking = block === undefined && (state.string("ipv6CidrBlock") ?? "") !== "";
    if (block !== undefined && touches("ipv6CidrBlock")) {
      await context.aws.ec2.send(
        new AssociateSubnetCidrBlockCommand({ SubnetId: id, Ipv6CidrBlock: block }),
      );
    }
    await setAttributes(context, id, news, touches);
    if (taking) {
      const AssociationId = state.requiredString("ipv6CidrBlockAssociationId");
      await context.aws.ec2.send(new DisassociateSubnetCidrBlockCommand({ AssociationId }));
    }
  },

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation"], signal, () =>
        aws.ec2.send(new DeleteSubnetCommand({ SubnetId: id })),
      ),
    );
  },
};

/** EC2 accepts one attribute per call. */
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
