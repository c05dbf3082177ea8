import {
  CreatePlacementGroupCommand,
  DeletePlacementGroupCommand,
  DescribePlacementGroupsCommand,
  PlacementStrategy,
  SpreadLevel,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { between, memberOf } from "../valueRules";

const MISSING = ["InvalidPlacementGroup.Unknown"];

/** `aws.ec2.PlacementGroup`. Its id is its name. */
export const placementGroup: ResourceKind = {
  type: "aws:ec2/placementGroup:PlacementGroup",
  title: "placement group",
  regional: true,
  autoname: { maxLength: 255 },
  inputs: {
    name: { type: "string", computed: true, replaces: true },
    strategy: { type: "string", required: true, replaces: true, rule: memberOf(PlacementStrategy) },
    partitionCount: { type: "number", computed: true, replaces: true, rule: between(0, 7) },
    spreadLevel: { type: "string", computed: true, replaces: true, rule: memberOf(SpreadLevel) },
  },
  outputs: ["arn", "placementGroupId", "tagsAll"],
  tagging: {
    change: async (context, name, tags) => {
      const { GroupId } = (await find(context, name)) ?? {};
      await ec2Tagging.change(context, GroupId ?? "", tags);
    },
  },

  validate: (inputs) =>
    inputs.has("partitionCount") && inputs.string("strategy") !== "partition"
      ? [
          {
            property: "partitionCount",
            reason: `partitionCount must not be set when strategy is "${inputs.string("strategy") ?? ""}"`,
          },
        ]
      : [],

  create: async (context, inputs) => {
    const name = inputs.requiredString("name");
    await context.aws.ec2.send(
      new CreatePlacementGroupCommand({
        GroupName: name,
        Strategy: inputs.requiredString("strategy") as PlacementStrategy,
        PartitionCount: inputs.number("partitionCount"),
        SpreadLevel: inputs.string("spreadLevel") as SpreadLevel | undefined,
        TagSpecifications: tagSpecifications("placement-group", context.tagsOf(inputs)),
      }),
    );
    return name;
  },

  read: async (context, name) => {
    const live = await find(context, name);
    return (
      live && {
        arn: live.GroupArn ?? "",
        name: live.GroupName ?? "",
        partitionCount: live.PartitionCount ?? null,
        placementGroupId: live.GroupId ?? "",
        spreadLevel: live.SpreadLevel ?? null,
        strategy: live.Strategy ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  delete: async ({ aws, signal }, GroupName) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["InvalidPlacementGroup.InUse"], signal, () =>
        aws.ec2.send(new DeletePlacementGroupCommand({ GroupName })),
      ),
    );
  },
};

async function find({ aws }: OperationContext, name: string) {
  const found = await unlessMissing(MISSING, () =>
    aws.ec2.send(new DescribePlacementGroupsCommand({ GroupNames: [name] })),
  );
  return found?.PlacementGroups?.[0];
}
