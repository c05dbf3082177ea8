import {
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  type Instance,
  type InstanceBlockDeviceMapping,
  type RunInstancesCommandInput,
  type Volume,
  type VolumeType,
} from "@aws-sdk/client-ec2";
import { ec2Tagging } from "../ec2Tagging";
import { Inputs } from "../inputs";
import type { OperationContext } from "../resourceKind";
import { fromTagList, mergedTags, tagChange } from "../tags";
import type { Values } from "../value";

/** The root device of the emulated cloud's images. */
export const ROOT_DEVICE = "/dev/xvda";

/** The volumes of a new machine, in EC2's form. */
export function blockDevices(inputs: Inputs): RunInstancesCommandInput["BlockDeviceMappings"] {
  const root = inputs.block("rootBlockDevice");
  const mappings = [
    ...(root === undefined ? [] : [mapping(ROOT_DEVICE, root)]),
    ...inputs
      .blocks("ebsBlockDevices")
      .map((device) => mapping(device.requiredString("deviceName"), device)),
  ];
  return mappings.length === 0 ? undefined : mappings;
}

function mapping(DeviceName: string, device: Inputs) {
  return {
    DeviceName,
    Ebs: {
      VolumeType: device.string("volumeType") as VolumeType | undefined,
      VolumeSize: device.number("volumeSize"),
      Iops: device.number("iops"),
      Throughput: device.number("throughput"),
      SnapshotId: device.string("snapshotId"),
      Encrypted: device.boolean("encrypted"),
      KmsKeyId: device.string("kmsKeyId"),
      DeleteOnTermination: device.boolean("deleteOnTermination") ?? true,
    },
  };
}

/** The volume properties of a machine, including volumes that other resources attached. */
export async function volumeValues(context: OperationContext, live: Instance): Promise<Values> {
  const VolumeIds = (live.BlockDeviceMappings ?? []).flatMap(({ Ebs }) => Ebs?.VolumeId ?? []);
  if (VolumeIds.length === 0) {
    return {};
  }
  const { Volumes } = await context.aws.ec2.send(new DescribeVolumesCommand({ VolumeIds }));
  const told = (device: InstanceBlockDeviceMapping) =>
    deviceValues(
      device,
      Volumes?.find(({ VolumeId }) => VolumeId === device.Ebs?.VolumeId),
    );
  const root = rootDeviceOf(live);
  const others = (live.BlockDeviceMappings ?? []).filter((device) => device !== root);
  return {
    ...(root !== undefined && { rootBlockDevice: told(root) }),
    ebsBlockDevices: others.map((device) => ({
      ...told(device),
      snapshotId:
        Volumes?.find(({ VolumeId }) => VolumeId === device.Ebs?.VolumeId)?.SnapshotId ?? null,
    })),
  };
}

function deviceValues(device: InstanceBlockDeviceMapping, volume: Volume | undefined): Values {
  return {
    volumeId: device.Ebs?.VolumeId ?? "",
    deviceName: device.DeviceName ?? "",
    volumeType: volume?.VolumeType ?? null,
    volumeSize: volume?.Size ?? null,
    iops: volume?.Iops ?? null,
    throughput: volume?.Throughput ?? null,
    encrypted: volume?.Encrypted ?? null,
    kmsKeyId: volume?.KmsKeyId ?? null,
    deleteOnTermination: device.Ebs?.DeleteOnTermination ?? null,
    tags: fromTagList(volume?.Tags),
  };
}

/** Sets the tags of volumes: those of their block, or `volumeTags`. */
export async function tagVolumes(
  context: OperationContext,
  id: string,
  inputs: Inputs,
  olds: Inputs = new Inputs({}),
): Promise<void> {
  const before = tagsByDevice(olds);
  for (const [device, tags] of Object.entries(tagsByDevice(inputs))) {
    const change = tagChange(before[device] ?? {}, tags);
    if (change.remove.length > 0 || Object.keys(change.set).length > 0) {
      await ec2Tagging.change(context, await volumeIdOf(context, id, device), change);
    }
  }
}

function tagsByDevice(inputs: Inputs): Record<string, Record<string, string>> {
  const shared = inputs.map("volumeTags");
  const own = (device: Inputs | undefined) => mergedTags(shared, device?.map("tags") ?? {});
  return {
    [ROOT_DEVICE]: own(inputs.block("rootBlockDevice")),
    ...Object.fromEntries(
      inputs
        .blocks("ebsBlockDevices")
        .map((device) => [device.requiredString("deviceName"), own(device)]),
    ),
  };
}

/** The id of the machine's volume at the device. */
export async function volumeIdOf(
  context: OperationContext,
  id: string,
  device: string,
): Promise<string> {
  const { Reservations } = await context.aws.ec2.send(
    new DescribeInstancesCommand({ InstanceIds: [id] }),
  );
  const live = Reservations?.[0]?.Instances?.[0];
  const found = live?.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === device);
  const volumeId = found?.Ebs?.VolumeId;
  if (volumeId === undefined) {
    throw new Error(`the instance "${id}" has no volume at "${device}"`);
  }
  return volumeId;
}

function rootDeviceOf(live: Instance): InstanceBlockDeviceMapping | undefined {
  return live.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === live.RootDeviceName);
}
