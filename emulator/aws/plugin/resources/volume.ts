import {
  CreateVolumeCommand,
  DeleteVolumeCommand,
  DescribeVolumesCommand,
  DescribeVolumesModificationsCommand,
  ModifyVolumeCommand,
  type Volume,
  type VolumeType,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing, waitUntil } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { between, arn } from "../valueRules";

const MISSING = ["InvalidVolume.NotFound"];

/** `aws.ebs.Volume` */
export const volume: ResourceKind = {
  type: "aws:ebs/volume:Volume",
  title: "volume",
  regional: true,
  inputs: {
    availabilityZone: { type: "string", required: true, replaces: true },
    encrypted: { type: "boolean", computed: true, replaces: true },
    iops: { type: "number", computed: true },
    kmsKeyId: { type: "string", computed: true, replaces: true, rule: arn },
    size: { type: "number", computed: true },
    snapshotId: { type: "string", computed: true, replaces: true },
    throughput: { type: "number", computed: true, rule: between(125, 2000) },
    type: { type: "string", computed: true },
  },
  outputs: ["arn", "createTime", "tagsAll"],
  tagging: ec2Tagging,

  validate: (inputs) =>
    inputs.has("size") || inputs.has("snapshotId")
      ? []
      : [{ property: "size", reason: "one of size and snapshotId must be set" }],

  create: async (context, inputs) => {
    const { VolumeId: id = "" } = await context.aws.ec2.send(
      new CreateVolumeCommand({
        AvailabilityZone: inputs.requiredString("availabilityZone"),
        Encrypted: inputs.boolean("encrypted"),
        Iops: inputs.number("iops"),
        KmsKeyId: inputs.string("kmsKeyId"),
        Size: inputs.number("size"),
        SnapshotId: inputs.string("snapshotId"),
        Throughput: inputs.number("throughput"),
        VolumeType: inputs.string("type") as VolumeType | undefined,
        TagSpecifications: tagSpecifications("volume", context.tagsOf(inputs)),
      }),
    );
    return afterCreate(id, () =>
      waitUntil(
        `the volume "${id}" to be available`,
        context.signal,
        async () => (await find(context, id))?.State === "available",
      ),
    );
  },

  read: async (context, id) => {
    const live = await find(context, id);
    return (
      live && {
        arn: ec2Arn(context, undefined, `volume/${id}`),
        availabilityZone: live.AvailabilityZone ?? "",
        createTime: live.CreateTime?.toISOString() ?? "",
        encrypted: live.Encrypted ?? false,
        iops: live.Iops ?? null,
        kmsKeyId: live.KmsKeyId ?? null,
        size: live.Size ?? null,
        snapshotId: live.SnapshotId ?? null,
        throughput: live.Throughput ?? null,
        type: live.VolumeType ?? null,
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async (context, id, { news }) => {
    const { ec2 } = context.aws;
    await ec2.send(
      new ModifyVolumeCommand({
        VolumeId: id,
        Iops: news.number("iops"),
        Size: news.number("size"),
        Throughput: news.number("throughput"),
        VolumeType: news.string("type") as VolumeType | undefined,
      }),
    );
    await waitUntil(`the volume "${id}" to be changed`, context.signal, async () => {
      const { VolumesModifications } = await ec2.send(
        new DescribeVolumesModificationsCommand({ VolumeIds: [id] }),
      );
      const state = VolumesModifications?.at(-1)?.ModificationState;
      return state === "completed" || state === "optimizing";
    });
  },

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["VolumeInUse"], signal, () =>
        aws.ec2.send(new DeleteVolumeCommand({ VolumeId: id })),
      ),
    );
  },
};

async function find({ aws }: OperationContext, id: string): Promise<Volume | undefined> {
  const found = await unlessMissing(MISSING, () =>
    aws.ec2.send(new DescribeVolumesCommand({ VolumeIds: [id] })),
  );
  return found?.Volumes?.[0];
}
