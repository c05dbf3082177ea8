import {
  CopyImageCommand,
  CreateTagsCommand,
  DeleteSnapshotCommand,
  DeregisterImageCommand,
  DescribeImagesCommand,
  type Image,
  type ImdsSupportValues,
  ModifyImageAttributeCommand,
  RegisterImageCommand,
  ArchitectureValues,
  BootModeValues,
  VirtualizationType,
  VolumeType,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import type { PropertyTable } from "../propertyTable";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";
import type { Values } from "../value";
import { oneOf, memberOf } from "../valueRules";

const MISSING = ["InvalidAMIID.NotFound", "InvalidAMIID.Unavailable"];
const NAMED = { type: "string", computed: true, replaces: true } as const;

const deviceFields: PropertyTable = {
  deviceName: { type: "string", required: true, replaces: true },
  deleteOnTermination: { type: "boolean", default: true, replaces: true },
  snapshotId: { type: "string", replaces: true },
  volumeSize: { type: "number", computed: true, replaces: true },
  volumeType: { type: "string", default: "standard", replaces: true, rule: memberOf(VolumeType) },
};

/** What images have in common, however they were made. */
const common: Pick<ResourceKind, "regional" | "autoname" | "tagging" | "update"> = {
  regional: true,
  autoname: { maxLength: 128 },
  tagging: ec2Tagging,
  update: async ({ aws }, ImageId, { news, touches }) => {
    if (touches("description")) {
      const Description = { Value: news.string("description") ?? "" };
      await aws.ec2.send(new ModifyImageAttributeCommand({ ImageId, Description }));
    }
  },
};

/** `aws.ec2.Ami`, from snapshots. */
export const image: ResourceKind = {
  ...common,
  type: "aws:ec2/ami:Ami",
  title: "image",
  inputs: {
    name: NAMED,
    description: { type: "string" },
    architecture: {
      type: "string",
      default: "x86_64",
      replaces: true,
      rule: memberOf(ArchitectureValues),
    },
    bootMode: { type: "string", replaces: true, rule: memberOf(BootModeValues) },
    enaSupport: { type: "boolean", replaces: true },
    imdsSupport: { type: "string", replaces: true, rule: oneOf("v2.0") },
    rootDeviceName: { type: "string", replaces: true },
    virtualizationType: {
      type: "string",
      default: "paravirtual",
      replaces: true,
      rule: memberOf(VirtualizationType),
    },
    ebsBlockDevices: { type: "blocks", computed: true, unordered: true, fields: deviceFields },
  },
  outputs: ["arn", "ownerId", "rootSnapshotId", "tagsAll"],

  create: async (context, inputs) => {
    const { ImageId = "" } = await context.aws.ec2.send(
      new RegisterImageCommand({
        Name: inputs.requiredString("name"),
        Description: inputs.string("description"),
        Architecture: inputs.string("architecture") as ArchitectureValues | undefined,
        BootMode: inputs.string("bootMode") as BootModeValues | undefined,
        EnaSupport: inputs.boolean("enaSupport"),
        ImdsSupport: inputs.string("imdsSupport") as ImdsSupportValues | undefined,
        RootDeviceName: inputs.string("rootDeviceName"),
        VirtualizationType: inputs.string("virtualizationType"),
        BlockDeviceMappings: inputs.blocks("ebsBlockDevices").map((device) => ({
          DeviceName: device.requiredString("deviceName"),
          Ebs: {
            DeleteOnTermination: device.boolean("deleteOnTermination"),
            SnapshotId: device.string("snapshotId"),
            VolumeSize: device.number("volumeSize"),
            VolumeType: device.string("volumeType") as VolumeType | undefined,
          },
        })),
      }),
    );
    return tagged(context, ImageId, inputs);
  },

  read: async (context, id) => {
    const live = await describe(context, id);
    return (
      live && {
        ...valuesOf(context, id, live),
        architecture: live.Architecture ?? "",
        bootMode: live.BootMode ?? null,
        enaSupport: live.EnaSupport ?? false,
        imdsSupport: live.ImdsSupport ?? null,
        rootDeviceName: live.RootDeviceName ?? "",
        virtualizationType: live.VirtualizationType ?? "",
        ebsBlockDevices: (live.BlockDeviceMappings ?? []).map(({ DeviceName, Ebs }) => ({
          deviceName: DeviceName ?? "",
          deleteOnTermination: Ebs?.DeleteOnTermination ?? true,
          snapshotId: Ebs?.SnapshotId ?? null,
          volumeSize: Ebs?.VolumeSize ?? null,
          volumeType: Ebs?.VolumeType ?? null,
        })),
      }
    );
  },

  delete: async ({ aws }, ImageId) => {
    await unlessMissing(MISSING, () => aws.ec2.send(new DeregisterImageCommand({ ImageId })));
  },
};

/** `aws.ec2.AmiCopy`. Its snapshots go with it. */
export const imageCopy: ResourceKind = {
  ...common,
  type: "aws:ec2/amiCopy:AmiCopy",
  title: "copy of an image",
  inputs: {
    name: NAMED,
    description: { type: "string" },
    sourceAmiId: { type: "string", required: true, replaces: true },
    sourceAmiRegion: { type: "string", required: true, replaces: true },
  },
  outputs: [
    "architecture",
    "arn",
    "bootMode",
    "ownerId",
    "rootDeviceName",
    "rootSnapshotId",
    "tagsAll",
  ],

  create: async (context, inputs) => {
    const { ImageId = "" } = await context.aws.ec2.send(
      new CopyImageCommand({
        Name: inputs.requiredString("name"),
        Description: inputs.string("description"),
        SourceImageId: inputs.requiredString("sourceAmiId"),
        SourceRegion: inputs.requiredString("sourceAmiRegion"),
      }),
    );
    return tagged(context, ImageId, inputs);
  },

  // EC2 does not tell what an image was copied from.
  read: async (context, id, state) => {
    const live = await describe(context, id);
    return (
      live && {
        ...valuesOf(context, id, live),
        architecture: live.Architecture ?? "",
        bootMode: live.BootMode ?? "",
        rootDeviceName: live.RootDeviceName ?? "",
        sourceAmiId: state.values.sourceAmiId ?? null,
        sourceAmiRegion: state.values.sourceAmiRegion ?? null,
      }
    );
  },

  delete: async (context, ImageId) => {
    const { ec2 } = context.aws;
    const live = await describe(context, ImageId);
    await unlessMissing(MISSING, () => ec2.send(new DeregisterImageCommand({ ImageId })));
    for (const { Ebs } of live?.BlockDeviceMappings ?? []) {
      const SnapshotId = Ebs?.SnapshotId;
      await unlessMissing(["InvalidSnapshot.NotFound"], () =>
        ec2.send(new DeleteSnapshotCommand({ SnapshotId })),
      );
    }
  },
};

function tagged(context: OperationContext, id: string, inputs: Inputs): Promise<string> {
  const Tags = toTagList(context.tagsOf(inputs));
  return afterCreate(id, async () => {
    if (Tags.length > 0) {
      await context.aws.ec2.send(new CreateTagsCommand({ Resources: [id], Tags }));
    }
  });
}

async function describe({ aws }: OperationContext, id: string): Promise<Image | undefined> {
  const found = await unlessMissing(MISSING, () =>
    aws.ec2.send(new DescribeImagesCommand({ ImageIds: [id] })),
  );
  return found?.Images?.[0];
}

function valuesOf(context: OperationContext, id: string, live: Image): Values {
  const root = live.BlockDeviceMappings?.find(
    ({ DeviceName }) => DeviceName === live.RootDeviceName,
  );
  return {
    arn: ec2Arn(context, undefined, `image/${id}`),
    name: live.Name ?? "",
    description: live.Description ?? null,
    ownerId: live.OwnerId ?? "",
    rootSnapshotId: root?.Ebs?.SnapshotId ?? "",
    tagsAll: fromTagList(live.Tags),
  };
}
