import {
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
} from "@aws-sdk/client-auto-scaling";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { between, oneOf, text } from "../valueRules";

/** `aws.autoscaling.LifecycleHook`, without a target for notifications. Its id is its name. */
export const lifecycleHook: ResourceKind = {
  type: "aws:autoscaling/lifecycleHook:LifecycleHook",
  title: "lifecycle hook",
  regional: true,
  autoname: { maxLength: 255 },
  inputs: {
    name: {
      type: "string",
      computed: true,
      replaces: true,
      rule: text(1, 255, {
        matches: /[A-Za-z0-9\-_/]+/,
        expected: "with a letter, a digit, -, _ or /",
      }),
    },
    autoscalingGroupName: { type: "string", required: true },
    lifecycleTransition: {
      type: "string",
      required: true,
      rule: oneOf("autoscaling:EC2_INSTANCE_LAUNCHING", "autoscaling:EC2_INSTANCE_TERMINATING"),
    },
    heartbeatTimeout: { type: "number", rule: between(30, 7200) },
    defaultResult: { type: "string", computed: true, rule: oneOf("ABANDON", "CONTINUE") },
  },
  outputs: [],

  create: async (context, inputs) => {
    await put(context, inputs);
    return inputs.requiredString("name");
  },

  read: async ({ aws }, name, state) => {
    const group = state.requiredString("autoscalingGroupName");
    const found = await unlessMissing(["ValidationError"], () =>
      aws.autoScaling.send(
        new DescribeLifecycleHooksCommand({
          AutoScalingGroupName: group,
          LifecycleHookNames: [name],
        }),
      ),
    );
    const live = found?.LifecycleHooks?.[0];
    return (
      live && {
        name: live.LifecycleHookName ?? "",
        autoscalingGroupName: live.AutoScalingGroupName ?? "",
        lifecycleTransition: live.LifecycleTransition ?? "",
        heartbeatTimeout: live.HeartbeatTimeout ?? null,
        defaultResult: live.DefaultResult ?? null,
      }
    );
  },

  update: (context, _name, { news }) => put(context, news),

  delete: async ({ aws }, name, state) => {
    await unlessMissing(["ValidationError"], () =>
      aws.autoScaling.send(
        new DeleteLifecycleHookCommand({
          AutoScalingGroupName: state.requiredString("autoscalingGroupName"),
          LifecycleHookName: name,
        }),
      ),
    );
  },
};

async function put({ aws }: OperationContext, inputs: Inputs): Promise<void> {
  await aws.autoScaling.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName: inputs.requiredString("autoscalingGroupName"),
      LifecycleHookName: inputs.requiredString("name"),
      LifecycleTransition: inputs.requiredString("lifecycleTransition"),
      HeartbeatTimeout: inputs.number("heartbeatTimeout"),
      DefaultResult: inputs.string("defaultResult"),
    }),
  );
}
