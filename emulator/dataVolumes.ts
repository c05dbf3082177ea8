import { DescribeVolumesCommand, type EC2Client, type Instance } from "@aws-sdk/client-ec2";
import type { DataVolume } from "./talos/machine/disks";

/** Volumes attached to each instance besides its root volume, by instance id, in device order. */
export async function dataVolumesOf(
  client: EC2Client,
  instances: Iterable<Instance>,
): Promise<Map<string, DataVolume[]>> {
  const attached = [...instances].map(
    (instance) => [instance.InstanceId ?? "", volumeIds(instance)] as const,
  );
  const VolumeIds = attached.flatMap(([, ids]) => ids);
  const { Volumes = [] } =
    VolumeIds.length === 0 ? {} : await client.send(new DescribeVolumesCommand({ VolumeIds }));
  const sizes = new Map(Volumes.map(({ VolumeId, Size }) => [VolumeId, (Size ?? 0) * 1024 ** 3]));
  return new Map(
    attached.map(([instanceId, ids]) => [
      instanceId,
      ids.map((volumeId) => ({ volumeId, sizeBytes: sizes.get(volumeId) ?? 0 })),
    ]),
  );
}

function volumeIds({ BlockDeviceMappings = [], RootDeviceName }: Instance): string[] {
  return BlockDeviceMappings.filter(({ DeviceName }) => DeviceName !== RootDeviceName)
    .sort((a, b) => (a.DeviceName ?? "").localeCompare(b.DeviceName ?? ""))
    .flatMap(({ Ebs }) => Ebs?.VolumeId ?? []);
}
