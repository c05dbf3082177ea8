import {
  CreateTagsCommand,
  DescribeImportSnapshotTasksCommand,
  ImportSnapshotCommand,
  DiskImageFormat,
} from "@aws-sdk/client-ec2";
import { orAfter } from "../../../orAfter";
import { retryWhile, waitUntil } from "../awsErrors";
import { ec2Tagging } from "../ec2Tagging";
import { afterCreate, type ResourceKind } from "../resourceKind";
import { toTagList } from "../tags";
import { memberOf } from "../valueRules";
import { describeSnapshot, snapshot } from "./snapshot";

/** How long a new role may take until AWS knows it. */
const ROLE_MS = 500;

/** `aws.ebs.SnapshotImport`, from a bucket. Its id is the snapshot's. */
export const snapshotImport: ResourceKind = {
  type: "aws:ebs/snapshotImport:SnapshotImport",
  title: "imported snapshot",
  regional: true,
  inputs: {
    description: { type: "string", computed: true, replaces: true },
    diskContainer: {
      type: "block",
      required: true,
      replaces: true,
      fields: {
        format: { type: "string", required: true, replaces: true, rule: memberOf(DiskImageFormat) },
        userBucket: {
          type: "block",
          required: true,
          replaces: true,
          fields: {
            s3Bucket: { type: "string", required: true, replaces: true },
            s3Key: { type: "string", required: true, replaces: true },
          },
        },
      },
    },
    roleName: { type: "string", default: "vmimport", replaces: true },
  },
  outputs: ["arn", "ownerId", "volumeSize", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { ec2 } = context.aws;
    const container = inputs.block("diskContainer");
    const place = container?.block("userBucket");
    const { ImportTaskId = "" } = await retryWhile(
      ["InvalidParameter"],
      orAfter(context.signal, ROLE_MS),
      () =>
        ec2.send(
          new ImportSnapshotCommand({
            Description: inputs.string("description"),
            RoleName: inputs.string("roleName"),
            DiskContainer: {
              Format: container?.requiredString("format") as DiskImageFormat | undefined,
              UserBucket: place && {
                S3Bucket: place.string("s3Bucket"),
                S3Key: place.string("s3Key"),
              },
            },
          }),
        ),
    );
    let id = "";
    await waitUntil(`the import "${ImportTaskId}" to end`, context.signal, async () => {
      const { ImportSnapshotTasks } = await ec2.send(
        new DescribeImportSnapshotTasksCommand({ ImportTaskIds: [ImportTaskId] }),
      );
      const detail = ImportSnapshotTasks?.[0]?.SnapshotTaskDetail;
      id = detail?.SnapshotId ?? "";
      return detail?.Status === "completed";
    });
    const Tags = toTagList(context.tagsOf(inputs));
    return afterCreate(id, async () => {
      if (Tags.length > 0) {
        await ec2.send(new CreateTagsCommand({ Resources: [id], Tags }));
      }
    });
  },

  // EC2 does not tell what a snapshot was imported from.
  read: async (context, id, state) => {
    const live = await describeSnapshot(context, id);
    return (
      live && {
        arn: live.arn,
        description: live.description,
        diskContainer: state.values.diskContainer ?? null,
        roleName: state.values.roleName ?? null,
        ownerId: live.ownerId,
        volumeSize: live.volumeSize,
        tagsAll: live.tagsAll,
      }
    );
  },

  delete: (context, id, state) => snapshot.delete(context, id, state),
};
