import {
  AttachLoadBalancerTargetGroupsCommand,
  CancelInstanceRefreshCommand,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DetachLoadBalancerTargetGroupsCommand,
  EnableMetricsCollectionCommand,
  ResumeProcessesCommand,
  StartInstanceRefreshCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from "@aws-sdk/client-auto-scaling";
import { awsErrorCode } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { Change, OperationContext } from "../resourceKind";
import { waitForCapacity } from "./autoScalingGroupCapacity";
import { autoScalingGroupProperties, ownCallProperties } from "./autoScalingGroupProperties";
import { groupRequest, refreshRequest, tagRequest } from "./autoScalingGroupRequest";

/** Updates a group in place, and starts an instance refresh if the program requires it. */
export async function updateGroup(
  context: OperationContext,
  name: string,
  change: Change,
): Promise<void> {
  const { news, olds, touches } = change;
  if (Object.keys(autoScalingGroupProperties).some((each) => touches(each) && isOfGroup(each))) {
    await context.aws.autoScaling.send(
      new UpdateAutoScalingGroupCommand({
        ...changedRequest(change),
        AutoScalingGroupName: name,
      }),
    );
  }
  if (touches("tags")) {
    await changeTags(context, name, olds.blocks("tags"), news.blocks("tags"));
  }
  if (touches("targetGroupArns")) {
    await changeTargetGroups(context, name, change);
  }
  if (touches("suspendedProcesses")) {
    const before = olds.strings("suspendedProcesses") ?? [];
    await setProcesses(context, name, before, news.strings("suspendedProcesses") ?? []);
  }
  if (touches("enabledMetrics")) {
    await enableMetrics(context, name, news);
  }
  await refreshInstances(context, name, change);
  if (touches("desiredCapacity", "minSize")) {
    await waitForCapacity(context, name, news, (running, wanted) => running === wanted);
  }
}

function isOfGroup(property: string): boolean {
  return !ownCallProperties.includes(property);
}

/** The changed properties, and those that return to AWS' defaults. */
function changedRequest({ news, touches }: Change) {
  const {
    LaunchTemplate,
    MixedInstancesPolicy,
    AvailabilityZones,
    VPCZoneIdentifier,
    DesiredCapacity,
    ...rest
  } = groupRequest(news);
  return {
    ...rest,
    ...(touches("launchTemplate") && { LaunchTemplate }),
    ...(touches("mixedInstancesPolicy") && { MixedInstancesPolicy }),
    ...(touches("availabilityZones") && { AvailabilityZones }),
    ...(touches("vpcZoneIdentifiers") && { VPCZoneIdentifier }),
    ...(touches("desiredCapacity") && { DesiredCapacity }),
    CapacityRebalance: news.boolean("capacityRebalance") ?? false,
    TerminationPolicies: news.strings("terminationPolicies") ?? ["Default"],
  };
}

/** Starts an instance refresh if the launch template or a trigger has changed. */
async function refreshInstances(
  context: OperationContext,
  name: string,
  { news, touches }: Change,
): Promise<void> {
  const refresh = news.block("instanceRefresh");
  const triggers = refresh?.strings("triggers") ?? [];
  // The provider's triggers have Terraform's property names.
  const named = triggers.map((trigger) => (trigger === "tag" ? "tags" : camelCase(trigger)));
  if (refresh === undefined || !touches("launchTemplate", "mixedInstancesPolicy", ...named)) {
    return;
  }
  const { autoScaling } = context.aws;
  const request = { ...refreshRequest(refresh), AutoScalingGroupName: name };
  await autoScaling.send(new StartInstanceRefreshCommand(request)).catch(async (error: unknown) => {
    if (awsErrorCode(error) !== "InstanceRefreshInProgressFault") {
      throw error;
    }
    await autoScaling.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName: name }));
    await autoScaling.send(new StartInstanceRefreshCommand(request));
  });
}

async function changeTags(
  { aws }: OperationContext,
  name: string,
  before: readonly Inputs[],
  after: readonly Inputs[],
): Promise<void> {
  const kept = new Set(after.map((tag) => tag.string("key")));
  const gone = before.filter((tag) => !kept.has(tag.string("key")));
  if (gone.length > 0) {
    await aws.autoScaling.send(new DeleteTagsCommand({ Tags: tagRequest(name, gone) }));
  }
  if (after.length > 0) {
    await aws.autoScaling.send(new CreateOrUpdateTagsCommand({ Tags: tagRequest(name, after) }));
  }
}

async function changeTargetGroups(
  { aws }: OperationContext,
  name: string,
  { olds, news }: Change,
): Promise<void> {
  const before = olds.strings("targetGroupArns") ?? [];
  const after = news.strings("targetGroupArns") ?? [];
  const gone = before.filter((arn) => !after.includes(arn));
  const added = after.filter((arn) => !before.includes(arn));
  if (gone.length > 0) {
    await aws.autoScaling.send(
      new DetachLoadBalancerTargetGroupsCommand({
        AutoScalingGroupName: name,
        TargetGroupARNs: gone,
      }),
    );
  }
  if (added.length > 0) {
    await aws.autoScaling.send(
      new AttachLoadBalancerTargetGroupsCommand({
        AutoScalingGroupName: name,
        TargetGroupARNs: added,
      }),
    );
  }
}

/** Suspends and resumes the group's processes. */
export async function setProcesses(
  { aws }: OperationContext,
  name: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const resumed = before.filter((process) => !after.includes(process));
  const suspended = after.filter((process) => !before.includes(process));
  if (resumed.length > 0) {
    await aws.autoScaling.send(
      new ResumeProcessesCommand({
        AutoScalingGroupName: name,
        ScalingProcesses: resumed,
      }),
    );
  }
  if (suspended.length > 0) {
    await aws.autoScaling.send(
      new SuspendProcessesCommand({
        AutoScalingGroupName: name,
        ScalingProcesses: suspended,
      }),
    );
  }
}

/** Enables the collection of the given metrics. */
export async function enableMetrics({ aws }: OperationContext, name: string, inputs: Inputs) {
  const Metrics = inputs.strings("enabledMetrics") ?? [];
  if (Metrics.length > 0) {
    await aws.autoScaling.send(
      new EnableMetricsCollectionCommand({
        AutoScalingGroupName: name,
        Granularity: inputs.string("metricsGranularity") ?? "1Minute",
        Metrics,
      }),
    );
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
