import { DescribeSubnetsCommand } from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { FunctionKind } from "../functionKind";
import { fromTagList } from "../tags";

/** `aws.ec2.getSubnet`, by its id. */
export const getSubnet: FunctionKind = {
  token: "aws:ec2/getSubnet:getSubnet",
  inputs: { id: { type: "string", required: true } },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("id");
    const found = await unlessMissing(["InvalidSubnetID.NotFound"], () =>
      aws.ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id] })),
    );
    const live = found?.Subnets?.[0];
    if (live === undefined) {
      throw new Error(`there is no subnet "${id}"`);
    }
    return {
      id,
      arn: live.SubnetArn ?? "",
      availabilityZone: live.AvailabilityZone ?? "",
      availabilityZoneId: live.AvailabilityZoneId ?? "",
      cidrBlock: live.CidrBlock ?? "",
      mapPublicIpOnLaunch: live.MapPublicIpOnLaunch ?? false,
      ownerId: live.OwnerId ?? "",
      state: live.State ?? "",
      tags: fromTagList(live.Tags),
      vpcId: live.VpcId ?? "",
    };
  },
};
