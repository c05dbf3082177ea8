import {
  DescribeAutoScalingGroupsCommand,
  SetInstanceProtectionCommand,
  UpdateAutoScalingGroupCommand,
  type AutoScalingGroup,
} from "@aws-sdk/client-auto-scaling";
import { orAfter } from "../../../orAfter";
import { waitUntil } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { OperationContext } from "../resourceKind";

/** The group with this name; undefined if it doesn't exist. */
export async function describeGroup(
  { aws }: OperationContext,
  name: string,
): Promise<AutoScalingGroup | undefined> {
  const { AutoScalingGroups } = await aws.autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] }),
  );
  return AutoScalingGroups?.[0];
}

/**
 * Waits until the group has its desired number of healthy instances in service.
 *
 * @throws Error if that takes longer than the program allows.
 */
export async function waitForCapacity(
  context: OperationContext,
  name: string,
  inputs: Inputs,
  isEnough: (running: number, wanted: number) => boolean,
): Promise<void> {
  const timeoutMs = durationMs(inputs.string("waitForCapacityTimeout") ?? "10m") ?? 0;
  if (timeoutMs === 0) {
    return;
  }
  const signal = orAfter(context.signal, timeoutMs);
  const what = `the instances of the auto scaling group "${name}" to be in service and healthy`;
  await waitUntil(what, signal, async () => {
    const live = await describeGroup(context, name);
    const running = (live?.Instances ?? []).filter(
      ({ HealthStatus, LifecycleState }) =>
        HealthStatus === "Healthy" && LifecycleState === "InService",
    ).length;
    const wanted = inputs.number("desiredCapacity") ?? live?.DesiredCapacity ?? 0;
    return isEnough(running, wanted);
  });
}

/** Terminates the group's instances by a scale-in to zero. */
export async function drainGroup(
  context: OperationContext,
  name: string,
  live: AutoScalingGroup,
): Promise<void> {
  const { autoScaling } = context.aws;
  const isProtected = (live.Instances ?? []).filter((each) => each.ProtectedFromScaleIn === true);
  if (isProtected.length > 0) {
    await autoScaling.send(
      new SetInstanceProtectionCommand({
        AutoScalingGroupName: name,
        InstanceIds: isProtected.map(({ InstanceId = "" }) => InstanceId),
        ProtectedFromScaleIn: false,
      }),
    );
  }
  await autoScaling.send(
    new UpdateAutoScalingGroupCommand({
      AutoScalingGroupName: name,
      MinSize: 0,
      MaxSize: 0,
      DesiredCapacity: 0,
    }),
  );
  await waitUntil(`the auto scaling group "${name}" to be empty`, context.signal, async () => {
    const now = await describeGroup(context, name);
    return (now?.Instances ?? []).length === 0;
  });
}

/**
 * The milliseconds of a duration in Go's notation (`1h30m`, `90s`, `0`); undefined for other texts.
 */
function durationMs(text: string): number | undefined {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (text === "0") {
    return 0;
  }
  if (match === null || text === "") {
    return undefined;
  }
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part || 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
