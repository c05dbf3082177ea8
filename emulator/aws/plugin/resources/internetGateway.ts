import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DescribeInternetGatewaysCommand,
  DetachInternetGatewayCommand,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidInternetGatewayID.NotFound"];
const NOT_ATTACHED = ["Gateway.NotAttached", "InvalidVpcID.NotFound", ...MISSING];

/** `aws.ec2.InternetGateway` */
export const internetGateway: ResourceKind = {
  type: "aws:ec2/internetGateway:InternetGateway",
  title: "internet gateway",
  regional: true,
  inputs: { vpcId: { type: "string", computed: true } },
  outputs: ["arn", "ownerId", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { InternetGateway } = await context.aws.ec2.send(
      new CreateInternetGatewayCommand({
        TagSpecifications: tagSpecifications("internet-gateway", context.tagsOf(inputs)),
      }),
    );
    const id = InternetGateway?.InternetGatewayId ?? "";
    return afterCreate(id, () => attach(context, id, inputs.string("vpcId")));
  },

  read: async (context, id) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeInternetGatewaysCommand({ InternetGatewayIds: [id] })),
    );
    const live = found?.InternetGateways?.[0];
    return (
      live && {
        arn: ec2Arn(context, live.OwnerId, `internet-gateway/${id}`),
        vpcId: live.Attachments?.[0]?.VpcId ?? "",
        ownerId: live.OwnerId ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async (context, id, { news, state }) => {
    await detach(context, id, state.string("vpcId"));
    await attach(context, id, news.string("vpcId"));
  },

  delete: async (context, id, state) => {
    await detach(context, id, state.string("vpcId"));
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation"], context.signal, () =>
        context.aws.ec2.send(new DeleteInternetGatewayCommand({ InternetGatewayId: id })),
      ),
    );
  },
};

async function attach(context: OperationContext, id: string, vpcId?: string): Promise<void> {
  if (vpcId !== undefined && vpcId !== "") {
    await context.aws.ec2.send(
      new AttachInternetGatewayCommand({ InternetGatewayId: id, VpcId: vpcId }),
    );
  }
}

async function detach(context: OperationContext, id: string, vpcId?: string): Promise<void> {
  if (vpcId !== undefined && vpcId !== "") {
    await unlessMissing(NOT_ATTACHED, () =>
      // Public addresses in the VPC block the gateway's deletion until their machines are
      // terminated.
      retryWhile(["DependencyViolation"], context.signal, () =>
        context.aws.ec2.send(
          new DetachInternetGatewayCommand({ InternetGatewayId: id, VpcId: vpcId }),
        ),
      ),
    );
  }
}
