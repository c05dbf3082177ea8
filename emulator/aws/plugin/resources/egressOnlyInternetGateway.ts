import {
  CreateEgressOnlyInternetGatewayCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  DescribeEgressOnlyInternetGatewaysCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import { ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidGatewayID.NotFound", "InvalidEgressOnlyInternetGatewayId.NotFound"];

/** `aws.ec2.EgressOnlyInternetGateway` */
export const egressOnlyInternetGateway: ResourceKind = {
  type: "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway",
  title: "egress-only internet gateway",
  regional: true,
  inputs: { vpcId: { type: "string", required: true, replaces: true } },
  outputs: ["tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { EgressOnlyInternetGateway } = await context.aws.ec2.send(
      new CreateEgressOnlyInternetGatewayCommand({
        VpcId: inputs.requiredString("vpcId"),
        TagSpecifications: tagSpecifications(
          "egress-only-internet-gateway",
          context.tagsOf(inputs),
        ),
      }),
    );
    return EgressOnlyInternetGateway?.EgressOnlyInternetGatewayId ?? "";
  },

  read: async ({ aws }, id) => {
    const found = await unlessMissing(MISSING, () =>
      aws.ec2.send(
        new DescribeEgressOnlyInternetGatewaysCommand({ EgressOnlyInternetGatewayIds: [id] }),
      ),
    );
    // EC2 returns an empty list, not an error, for a deleted one.
    const live = found?.EgressOnlyInternetGateways?.[0];
    return (
      live && {
        vpcId: live.Attachments?.[0]?.VpcId ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () =>
      aws.ec2.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId: id })),
    );
  },
};
