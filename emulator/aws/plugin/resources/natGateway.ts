import {
  CreateNatGatewayCommand,
  DeleteNatGatewayCommand,
  DescribeNatGatewaysCommand,
  type NatGateway,
  ConnectivityType,
} from "@aws-sdk/client-ec2";
import { unlessMissing, waitUntil } from "../awsErrors";
import { ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { memberOf } from "../valueRules";

const MISSING = ["NatGatewayNotFound"];

/** `aws.ec2.NatGateway`, zonal. */
export const natGateway: ResourceKind = {
  type: "aws:ec2/natGateway:NatGateway",
  title: "NAT gateway",
  regional: true,
  inputs: {
    allocationId: { type: "string", replaces: true },
    connectivityType: {
      type: "string",
      default: "public",
      replaces: true,
      rule: memberOf(ConnectivityType),
    },
    subnetId: { type: "string", required: true, replaces: true },
  },
  outputs: ["associationId", "networkInterfaceId", "privateIp", "publicIp", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const created = await context.aws.ec2.send(
      new CreateNatGatewayCommand({
        AllocationId: inputs.string("allocationId"),
        ConnectivityType: inputs.string("connectivityType") as ConnectivityType | undefined,
        SubnetId: inputs.requiredString("subnetId"),
        TagSpecifications: tagSpecifications("natgateway", context.tagsOf(inputs)),
      }),
    );
    const id = created.NatGateway?.NatGatewayId ?? "";
    return afterCreate(id, () =>
      waitUntil(`the NAT gateway "${id}" to be available`, context.signal, async () => {
        const live = await find(context, id);
        if (live?.State === "failed") {
          throw new Error(`the NAT gateway "${id}" failed: ${live.FailureMessage ?? ""}`);
        }
        return live?.State === "available";
      }),
    );
  },

  read: async (context, id) => {
    const live = await find(context, id);
    if (live === undefined || live.State === "deleting" || live.State === "deleted") {
      return undefined;
    }
    const address = live.NatGatewayAddresses?.[0];
    return {
      allocationId: address?.AllocationId ?? null,
      associationId: address?.AssociationId ?? "",
      connectivityType: live.ConnectivityType ?? "public",
      networkInterfaceId: address?.NetworkInterfaceId ?? "",
      privateIp: address?.PrivateIp ?? "",
      publicIp: address?.PublicIp ?? "",
      subnetId: live.SubnetId ?? "",
      tagsAll: fromTagList(live.Tags),
    };
  },

  delete: async (context, id) => {
    await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id })),
    );
    await waitUntil(`the NAT gateway "${id}" to be gone`, context.signal, async () => {
      const live = await find(context, id);
      return live === undefined || live.State === "deleted";
    });
  },
};

async function find({ aws }: OperationContext, id: string): Promise<NatGateway | undefined> {
  const found = await unlessMissing(MISSING, () =>
    aws.ec2.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [id] })),
  );
  return found?.NatGateways?.[0];
}
