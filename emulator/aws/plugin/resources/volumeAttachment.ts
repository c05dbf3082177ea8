import { createHash } from "node:crypto";
import {
  AttachVolumeCommand,
  DescribeVolumesCommand,
  DetachVolumeCommand,
  StopInstancesCommand,
  type VolumeAttachment,
} from "@aws-sdk/client-ec2";
import { unlessMissing, waitUntil } from "../awsErrors";
import { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { waitForState } from "./instanceUpdate";

const MISSING = [
  "IncorrectState",
  "InvalidAttachment.NotFound",
  "InvalidInstanceID.NotFound",
  "InvalidVolume.NotFound",
];

/** `aws.ec2.VolumeAttachment` */
export const volumeAttachment: ResourceKind = {
  type: "aws:ec2/volumeAttachment:VolumeAttachment",
  title: "volume attachment",
  regional: true,
  inputs: {
    deviceName: { type: "string", required: true, replaces: true },
    instanceId: { type: "string", required: true, replaces: true },
    volumeId: { type: "string", required: true, replaces: true },
    forceDetach: { type: "boolean" },
    skipDestroy: { type: "boolean" },
    stopInstanceBeforeDetaching: { type: "boolean" },
  },
  outputs: [],

  create: async (context, inputs) => {
    await context.aws.ec2.send(new AttachVolumeCommand(request(inputs)));
    return afterCreate(idOf(inputs), async () => {
      const what = `the volume "${inputs.requiredString("volumeId")}" to be attached`;
      await waitUntil(
        what,
        context.signal,
        async () => (await find(context, inputs))?.State === "attached",
      );
    });
  },

  read: async (context, id, state) => {
    const named = state.has("volumeId") ? state : imported(id);
    const live = await find(context, named);
    return (
      live && {
        id: idOf(named),
        deviceName: live.Device ?? "",
        instanceId: live.InstanceId ?? "",
        volumeId: live.VolumeId ?? "",
      }
    );
  },

  // Only settings of the detachment can change.
  update: () => Promise.resolve(),

  delete: async (context, _id, state) => {
    if (state.boolean("skipDestroy") === true || (await find(context, state)) === undefined) {
      return;
    }
    if (state.boolean("stopInstanceBeforeDetaching") === true) {
      const instanceId = state.requiredString("instanceId");
      await context.aws.ec2.send(new StopInstancesCommand({ InstanceIds: [instanceId] }));
      await waitForState(context, instanceId, "stopped");
    }
    await unlessMissing(MISSING, () =>
      context.aws.ec2.send(
        new DetachVolumeCommand({ ...request(state), Force: state.boolean("forceDetach") }),
      ),
    );
    const what = `the volume "${state.requiredString("volumeId")}" to be detached`;
    await waitUntil(what, context.signal, async () => (await find(context, state)) === undefined);
  },
};

function request(inputs: Inputs) {
  return {
    Device: inputs.requiredString("deviceName"),
    InstanceId: inputs.requiredString("instanceId"),
    VolumeId: inputs.requiredString("volumeId"),
  };
}

/** AWS has no id for it, so this one is only unique. */
function idOf(inputs: Inputs): string {
  const { Device, InstanceId, VolumeId } = request(inputs);
  const hash = createHash("sha256").update(`${Device} ${InstanceId} ${VolumeId}`).digest("hex");
  return `vai-${hash.slice(0, 10)}`;
}

/** The provider imports by device, volume and instance. */
function imported(id: string): Inputs {
  const [deviceName, volumeId, instanceId] = id.split(":");
  if (deviceName === undefined || volumeId === undefined || instanceId === undefined) {
    throw new Error(
      `"${id}" names no volume attachment: write it as in "/dev/sdf:vol-0123456789abcdef0:i-0123456789abcdef0"`,
    );
  }
  return new Inputs({ deviceName, volumeId, instanceId });
}

async function find(
  { aws }: OperationContext,
  inputs: Inputs,
): Promise<VolumeAttachment | undefined> {
  const { Device, InstanceId, VolumeId } = request(inputs);
  const found = await unlessMissing(MISSING, () =>
    aws.ec2.send(new DescribeVolumesCommand({ VolumeIds: [VolumeId] })),
  );
  return found?.Volumes?.[0]?.Attachments?.find(
    (each) => each.InstanceId === InstanceId && each.Device === Device,
  );
}
