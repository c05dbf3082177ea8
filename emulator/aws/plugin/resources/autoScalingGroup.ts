import {
  CreateAutoScalingGroupCommand,
  DeleteAutoScalingGroupCommand,
} from "@aws-sdk/client-auto-scaling";
import { chosenName } from "../autoname";
import { awsErrorCode, retryWhile } from "../awsErrors";
import { afterCreate, type ResourceKind } from "../resourceKind";
import { describeGroup, drainGroup, waitForCapacity } from "./autoScalingGroupCapacity";
import { autoScalingGroupProperties } from "./autoScalingGroupProperties";
import { groupRequest, groupValues, tagRequest } from "./autoScalingGroupRequest";
import { enableMetrics, setProcesses, updateGroup } from "./autoScalingGroupUpdate";

/** `aws.autoscaling.Group`; its id is its name. */
export const autoScalingGroup: ResourceKind = {
  type: "aws:autoscaling/group:Group",
  title: "auto scaling group",
  regional: true,
  autoname: { maxLength: 255 },
  inputs: autoScalingGroupProperties,
  outputs: ["arn", "predictedCapacity", "serviceLinkedRoleArn", "warmPoolSize"],

  create: async (context, inputs) => {
    const name = chosenName(inputs);
    const { autoScaling } = context.aws;
    await autoScaling.send(
      new CreateAutoScalingGroupCommand({
        ...groupRequest(inputs),
        AutoScalingGroupName: name,
        TargetGroupARNs: inputs.strings("targetGroupArns"),
        Tags: tagRequest(name, inputs.blocks("tags")),
      }),
    );
    return afterCreate(name, async () => {
      await setProcesses(context, name, [], inputs.strings("suspendedProcesses") ?? []);
      await enableMetrics(context, name, inputs);
      await waitForCapacity(context, name, inputs, (running, wanted) => running >= wanted);
    });
  },

  read: async (context, name) => {
    const live = await describeGroup(context, name);
    return live && { ...groupValues(live), predictedCapacity: 0, warmPoolSize: 0 };
  },

  update: updateGroup,

  delete: async (context, name, state) => {
    const live = await describeGroup(context, name);
    if (live === undefined) {
      return;
    }
    const force = state.boolean("forceDelete") === true;
    if (!force) {
      await drainGroup(context, name, live);
    }
    await retryWhile(["ResourceInUseFault", "ScalingActivityInProgressFault"], context.signal, () =>
      context.aws.autoScaling.send(
        new DeleteAutoScalingGroupCommand({
          AutoScalingGroupName: name,
          ForceDelete: force,
        }),
      ),
    ).catch((error: unknown) => {
      // AWS reports a missing group as a validation error.
      if (awsErrorCode(error) !== "ValidationError") {
        throw error;
      }
    });
  },
};
