import {
  AssociateIamInstanceProfileCommand,
  DescribeIamInstanceProfileAssociationsCommand,
  DescribeInstancesCommand,
  DisassociateIamInstanceProfileCommand,
  ModifyInstanceAttributeCommand,
  type ModifyInstanceAttributeCommandInput,
  ModifyInstanceCapacityReservationAttributesCommand,
  ModifyInstanceMetadataOptionsCommand,
  ModifyPrivateDnsNameOptionsCommand,
  ModifyVolumeCommand,
  MonitorInstancesCommand,
  ReplaceIamInstanceProfileAssociationCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  UnmonitorInstancesCommand,
  type VolumeType,
} from "@aws-sdk/client-ec2";
import { waitUntil } from "../awsErrors";
import { Inputs } from "../inputs";
import type { Change, OperationContext } from "../resourceKind";
import { reservationRequest } from "./capacityReservation";
import { changeCredits } from "./instanceCredits";
import { metadataOptions, privateDnsNameOptions } from "./instanceOptions";
import { ROOT_DEVICE, tagVolumes, volumeIdOf } from "./instanceVolumes";

/** Properties that EC2 changes only while the machine is stopped. */
export const STOPPING: readonly string[] = ["instanceType", "userData", "userDataBase64"];

/** Applies changes that need no new instance. Some of them need a stop. */
export async function updateInstance(
  context: OperationContext,
  id: string,
  change: Change,
): Promise<void> {
  const { news, touches } = change;
  if (touches("vpcSecurityGroupIds")) {
    await setAttribute(context, id, { Groups: news.strings("vpcSecurityGroupIds") ?? [] });
  }
  if (touches("sourceDestCheck")) {
    const Value = news.boolean("sourceDestCheck") ?? true;
    await setAttribute(context, id, { SourceDestCheck: { Value } });
  }
  if (touches("disableApiTermination")) {
    const Value = news.boolean("disableApiTermination") ?? false;
    await setAttribute(context, id, { DisableApiTermination: { Value } });
  }
  if (touches("instanceInitiatedShutdownBehavior")) {
    const Value = news.requiredString("instanceInitiatedShutdownBehavior");
    await setAttribute(context, id, { InstanceInitiatedShutdownBehavior: { Value } });
  }
  if (touches("monitoring")) {
    const request = { InstanceIds: [id] };
    await (news.boolean("monitoring") === true
      ? context.aws.ec2.send(new MonitorInstancesCommand(request))
      : context.aws.ec2.send(new UnmonitorInstancesCommand(request)));
  }
  if (touches("metadataOptions")) {
    const options = metadataOptions(news.block("metadataOptions") ?? new Inputs({}));
    await context.aws.ec2.send(
      new ModifyInstanceMetadataOptionsCommand({ InstanceId: id, ...options }),
    );
  }
  if (touches("privateDnsNameOptions")) {
    const { HostnameType, ...records } = privateDnsNameOptions(
      news.block("privateDnsNameOptions") ?? new Inputs({}),
    );
    await context.aws.ec2.send(
      new ModifyPrivateDnsNameOptionsCommand({
        InstanceId: id,
        PrivateDnsHostnameType: HostnameType,
        ...records,
      }),
    );
  }
  if (touches("capacityReservationSpecification")) {
    await context.aws.ec2.send(
      new ModifyInstanceCapacityReservationAttributesCommand({
        InstanceId: id,
        CapacityReservationSpecification: reservationRequest(news),
      }),
    );
  }
  if (touches("creditSpecification")) {
    await changeCredits(context, id, news);
  }
  if (touches("iamInstanceProfile")) {
    await setProfile(context, id, news.filled("iamInstanceProfile"));
  }
  if (touches("rootBlockDevice")) {
    await changeRootVolume(context, id, change);
  }
  if (touches("rootBlockDevice", "ebsBlockDevices", "volumeTags")) {
    await tagVolumes(context, id, news, change.olds);
  }
  if (touches(...STOPPING)) {
    await whileStopped(context, id, () => changeStopped(context, id, change));
  }
}

/** Sets one attribute; EC2 accepts one per call. */
export async function setAttribute(
  context: OperationContext,
  id: string,
  attribute: Omit<ModifyInstanceAttributeCommandInput, "InstanceId">,
): Promise<void> {
  await context.aws.ec2.send(new ModifyInstanceAttributeCommand({ InstanceId: id, ...attribute }));
}

/**
 * Waits until the instance is in the state.
 *
 * @throws Error with EC2's reason if it is terminated instead.
 */
export async function waitForState(
  context: OperationContext,
  id: string,
  state: "running" | "stopped",
): Promise<void> {
  await waitUntil(`the instance "${id}" to be ${state}`, context.signal, async () => {
    const { Reservations } = await context.aws.ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [id] }),
    );
    const live = Reservations?.[0]?.Instances?.[0];
    if (live?.State?.Name === "terminated") {
      throw new Error(
        `EC2 ended the instance "${id}": ${live.StateReason?.Message ?? "no reason"}`,
      );
    }
    return live?.State?.Name === state;
  });
}

async function changeRootVolume(
  context: OperationContext,
  id: string,
  { news, olds }: Change,
): Promise<void> {
  const wanted = news.block("rootBlockDevice") ?? new Inputs({});
  const before = olds.block("rootBlockDevice") ?? new Inputs({});
  const changed = (name: string) => wanted.has(name) && wanted.values[name] !== before.values[name];
  if (["volumeType", "volumeSize", "iops", "throughput"].some(changed)) {
    await context.aws.ec2.send(
      new ModifyVolumeCommand({
        VolumeId: await volumeIdOf(context, id, ROOT_DEVICE),
        VolumeType: wanted.string("volumeType") as VolumeType | undefined,
        Size: wanted.number("volumeSize"),
        Iops: wanted.number("iops"),
        Throughput: wanted.number("throughput"),
      }),
    );
  }
  if (changed("deleteOnTermination")) {
    const DeleteOnTermination = wanted.boolean("deleteOnTermination");
    await setAttribute(context, id, {
      BlockDeviceMappings: [{ DeviceName: ROOT_DEVICE, Ebs: { DeleteOnTermination } }],
    });
  }
}

async function setProfile(context: OperationContext, id: string, name?: string): Promise<void> {
  const { ec2 } = context.aws;
  const { IamInstanceProfileAssociations } = await ec2.send(
    new DescribeIamInstanceProfileAssociationsCommand({
      Filters: [{ Name: "instance-id", Values: [id] }],
    }),
  );
  const AssociationId = IamInstanceProfileAssociations?.[0]?.AssociationId;
  const IamInstanceProfile = { Name: name };
  if (name === undefined) {
    if (AssociationId !== undefined) {
      await ec2.send(new DisassociateIamInstanceProfileCommand({ AssociationId }));
    }
  } else if (AssociationId === undefined) {
    await ec2.send(new AssociateIamInstanceProfileCommand({ InstanceId: id, IamInstanceProfile }));
  } else {
    await ec2.send(
      new ReplaceIamInstanceProfileAssociationCommand({ AssociationId, IamInstanceProfile }),
    );
  }
}

async function whileStopped(
  context: OperationContext,
  id: string,
  action: () => Promise<void>,
): Promise<void> {
  const request = { InstanceIds: [id] };
  await context.aws.ec2.send(new StopInstancesCommand(request));
  await waitForState(context, id, "stopped");
  await action();
  await context.aws.ec2.send(new StartInstancesCommand(request));
  await waitForState(context, id, "running");
}

async function changeStopped(
  context: OperationContext,
  id: string,
  { news, touches }: Change,
): Promise<void> {
  if (touches("instanceType")) {
    const Value = news.requiredString("instanceType");
    await setAttribute(context, id, { InstanceType: { Value } });
  }
  if (touches("userData", "userDataBase64")) {
    const text = news.string("userData");
    const data =
      text === undefined
        ? Buffer.from(news.string("userDataBase64") ?? "", "base64")
        : Buffer.from(text);
    await setAttribute(context, id, { UserData: { Value: data } });
  }
}
