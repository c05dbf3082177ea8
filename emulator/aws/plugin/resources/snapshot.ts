import {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  DescribeSnapshotsCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { ResourceKind } from "../resourceKind";
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
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeSnapshotsCommand({ SnapshotIds: [id] })),
    );
    const live = found?.Snapshots?.[0];
    return (
      live && {
        arn: ec2Arn(context, undefined, `snapshot/${id}`),
        description: live.Description ?? "",
        encrypted: live.Encrypted ?? false,
        volumeId: live.VolumeId ?? "",
        volumeSize: live.VolumeSize ?? null,
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () => aws.ec2.send(new DeleteSnapshotCommand({ SnapshotId: id })));
  },
};
