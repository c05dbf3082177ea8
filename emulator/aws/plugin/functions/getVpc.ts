import { DescribeVpcAttributeCommand, DescribeVpcsCommand } from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { FunctionKind } from "../functionKind";
import { fromTagList } from "../tags";

/** `aws.ec2.getVpc`, by its id. */
export const getVpc: FunctionKind = {
  token: "aws:ec2/getVpc:getVpc",
  inputs: { id: { type: "string", required: true } },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("id");
    const found = await unlessMissing(["InvalidVpcID.NotFound"], () =>
      aws.ec2.send(new DescribeVpcsCommand({ VpcIds: [id] })),
    );
    const live = found?.Vpcs?.[0];
    if (live === undefined) {
      throw new Error(`there is no VPC "${id}"`);
    }
    const [support, hostnames] = await Promise.all([
      aws.ec2.send(new DescribeVpcAttributeCommand({ VpcId: id, Attribute: "enableDnsSupport" })),
      aws.ec2.send(new DescribeVpcAttributeCommand({ VpcId: id, Attribute: "enableDnsHostnames" })),
    ]);
    return {
      id,
      cidrBlock: live.CidrBlock ?? "",
      cidrBlockAssociations: (live.CidrBlockAssociationSet ?? []).map((each) => ({
        associationId: each.AssociationId ?? "",
        cidrBlock: each.CidrBlock ?? "",
        state: each.CidrBlockState?.State ?? "",
      })),
      default: live.IsDefault ?? false,
      enableDnsSupport: support.EnableDnsSupport?.Value ?? false,
      enableDnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
      instanceTenancy: live.InstanceTenancy ?? "",
      ownerId: live.OwnerId ?? "",
      state: live.State ?? "",
      tags: fromTagList(live.Tags),
    };
  },
};
