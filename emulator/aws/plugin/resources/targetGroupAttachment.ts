import {
  DeregisterTargetsCommand,
  DescribeTargetHealthCommand,
  RegisterTargetsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { ResourceKind } from "../resourceKind";
import { arn } from "../valueRules";

const MISSING = [
  "TargetGroupNotFound",
  "TargetGroupNotFoundException",
  "InvalidTarget",
  "InvalidTargetException",
];

/** `aws.lb.TargetGroupAttachment` */
export const targetGroupAttachment: ResourceKind = {
  type: "aws:lb/targetGroupAttachment:TargetGroupAttachment",
  title: "target group attachment",
  regional: true,
  inputs: {
    targetGroupArn: { type: "string", required: true, replaces: true, rule: arn },
    targetId: { type: "string", required: true, replaces: true },
    port: { type: "number", replaces: true },
    availabilityZone: { type: "string", replaces: true },
  },
  outputs: [],

  create: async ({ aws }, inputs) => {
    const arn = inputs.requiredString("targetGroupArn");
    await aws.loadBalancing.send(
      new RegisterTargetsCommand({ TargetGroupArn: arn, Targets: [target(inputs)] }),
    );
    // AWS has no id for it, so this one is only unique.
    return `${arn}-${inputs.requiredString("targetId")}-${inputs.number("port") ?? "default"}`;
  },

  read: async ({ aws }, _id, state) => {
    if (!state.has("targetGroupArn")) {
      throw new Error("AWS has no id for a target group attachment, so none can be imported");
    }
    const arn = state.requiredString("targetGroupArn");
    const found = await unlessMissing(MISSING, () =>
      aws.loadBalancing.send(
        new DescribeTargetHealthCommand({ TargetGroupArn: arn, Targets: [target(state)] }),
      ),
    );
    const health = found?.TargetHealthDescriptions?.[0];
    const reason = health?.TargetHealth?.Reason ?? "";
    const isGone = ["Target.NotRegistered", "Target.DeregistrationInProgress"].includes(reason);
    return health === undefined || isGone
      ? undefined
      : { targetGroupArn: arn, targetId: state.requiredString("targetId") };
  },

  delete: async ({ aws }, _id, state) => {
    await unlessMissing(MISSING, () =>
      aws.loadBalancing.send(
        new DeregisterTargetsCommand({
          TargetGroupArn: state.requiredString("targetGroupArn"),
          Targets: [target(state)],
        }),
      ),
    );
  },
};

function target(inputs: Inputs) {
  return {
    Id: inputs.requiredString("targetId"),
    Port: inputs.number("port"),
    AvailabilityZone: inputs.string("availabilityZone"),
  };
}
