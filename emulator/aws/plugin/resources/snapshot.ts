import {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  DescribeSnapshotsCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidSnapshot.NotFound"];

/** `aws.ebs.Snapshot` */
export const snapshot: ResourceKind = {
  type: "aws:ebs/snapshot:Snapshot",
  title: "snapshot",
  regional: true,
  inputs: {
    volumeId: { type: "string", required: true, replaces: true },
    description: { type: "string", replaces: true },
  },
  outputs: ["arn", "encrypted", "volumeSize", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { SnapshotId = "" } = await context.aws.ec2.send(
      new CreateSnapshotCommand({
        VolumeId: inputs.requiredString("volumeId"),
        Description: inputs.string("description"),
        TagSpecifications: tagSpecifications("snapshot", context.tagsOf(inputs)),
      }),
    );
    return SnapshotId;
  },

  read: async (context, id) => {
    const { ownerId: _owner, ...live } = (await describeSnapshot(context, id)) ?? {};
    return Object.keys(live).length === 0 ? undefined : live;
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () => aws.ec2.send(new DeleteSnapshotCommand({ SnapshotId: id })));
  },
};

/** The live properties of a snapshot; undefined when it doesn't exist. */
export async function describeSnapshot(context: OperationContext, id: string) {
  const found = await unlessMissing(MISSING, () =>
    context.aws.ec2.send(new DescribeSnapshotsCommand({ SnapshotIds: [id] })),
  );
  const live = found?.Snapshots?.[0];
  return (
    live && {
      arn: ec2Arn(context, undefined, `snapshot/${id}`),
      description: live.Description ?? "",
      encrypted: live.Encrypted ?? false,
      ownerId: live.OwnerId ?? "",
      volumeId: live.VolumeId ?? "",
      volumeSize: live.VolumeSize ?? null,
      tagsAll: fromTagList(live.Tags),
    }
  );
}
