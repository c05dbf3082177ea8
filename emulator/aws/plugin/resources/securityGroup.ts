import {
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
  RevokeSecurityGroupEgressCommand,
} from "@aws-sdk/client-ec2";
import { chosenName } from "../autoname";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { nameProperties } from "../nameProperties";
import { afterCreate, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { text, SUFFIX_LENGTH } from "../valueRules";

const MISSING = ["InvalidGroup.NotFound", "InvalidGroupId.Malformed"];

/** AWS names groups by ids with this start. */
const NAME = { matches: /^(?!sg-)/, expected: 'that does not begin with "sg-"' };

/** `aws.ec2.SecurityGroup`; its rules are separate resources (`aws.vpc.SecurityGroup…Rule`). */
export const securityGroup: ResourceKind = {
  type: "aws:ec2/securityGroup:SecurityGroup",
  title: "security group",
  regional: true,
  autoname: { maxLength: 255 },
  inputs: {
    ...nameProperties(text(0, 255, NAME), text(0, 255 - SUFFIX_LENGTH, NAME)),
    description: {
      type: "string",
      default: "Managed by Pulumi",
      replaces: true,
      rule: text(0, 255),
    },
    vpcId: { type: "string", computed: true, replaces: true },
    revokeRulesOnDelete: { type: "boolean", default: false },
  },
  outputs: ["arn", "ownerId", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { ec2 } = context.aws;
    const { GroupId } = await ec2.send(
      new CreateSecurityGroupCommand({
        GroupName: chosenName(inputs),
        Description: inputs.requiredString("description"),
        VpcId: inputs.string("vpcId"),
        TagSpecifications: tagSpecifications("security-group", context.tagsOf(inputs)),
      }),
    );
    const id = GroupId ?? "";
    return afterCreate(id, async () => {
      // EC2 creates a rule that allows all egress; the AWS provider deletes it.
      const { SecurityGroups } = await ec2.send(
        new DescribeSecurityGroupsCommand({ GroupIds: [id] }),
      );
      const IpPermissions = SecurityGroups?.[0]?.IpPermissionsEgress ?? [];
      if (IpPermissions.length > 0) {
        await ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId: id, IpPermissions }));
      }
    });
  },

  read: async (context, id) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [id] })),
    );
    const live = found?.SecurityGroups?.[0];
    return (
      live && {
        arn: ec2Arn(context, live.OwnerId, `security-group/${id}`),
        name: live.GroupName ?? "",
        description: live.Description ?? "",
        vpcId: live.VpcId ?? "",
        ownerId: live.OwnerId ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  // Only revokeRulesOnDelete can change, which has no effect before the delete.
  update: () => Promise.resolve(),

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation", "InvalidGroup.InUse"], signal, () =>
        aws.ec2.send(new DeleteSecurityGroupCommand({ GroupId: id })),
      ),
    );
  },
};
