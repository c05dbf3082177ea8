import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { arn, text } from "../valueRules";

const MISSING = ["ResourceNotFoundException"];

/** Source: terraform-provider-aws, `internal/service/events/validate.go`. */
const form = { matches: /^[0-9A-Za-z_.-]+$/, expected: 'of letters, digits and "_", "-", "."' };

/**
 * `aws.cloudwatch.EventTarget`, a queue that gets the whole event of a rule on the default bus. Its id is the rule's name and its
 * own. Source: terraform-provider-aws, `internal/service/events/target.go`.
 */
export const eventTarget: ResourceKind = {
  type: "aws:cloudwatch/eventTarget:EventTarget",
  title: "target of a rule of EventBridge",
  regional: true,
  inputs: {
    rule: { type: "string", required: true, replaces: true, rule: text(1, 64, form) },
    arn: { type: "string", required: true, rule: arn },
    targetId: { type: "string", required: true, replaces: true, rule: text(1, 64, form) },
  },
  outputs: [],

  create: async (context, inputs) => {
    await put(context, inputs);
    return `${inputs.requiredString("rule")}-${inputs.requiredString("targetId")}`;
  },

  read: async ({ aws }, _id, state) => {
    const [rule, targetId] = [state.requiredString("rule"), state.requiredString("targetId")];
    const found = (await unlessMissing(MISSING, () =>
      aws.events.call("ListTargetsByRule", { Rule: rule }),
    )) as
      { readonly Targets: readonly { readonly Id: string; readonly Arn: string }[] } | undefined;
    const live = found?.Targets.find(({ Id }) => Id === targetId);
    return live && { rule, targetId, arn: live.Arn };
  },

  update: (context, _id, { news }) => put(context, news),

  delete: async ({ aws }, _id, state) => {
    await unlessMissing(MISSING, () =>
      aws.events.call("RemoveTargets", {
        Rule: state.requiredString("rule"),
        Ids: [state.requiredString("targetId")],
      }),
    );
  },
};

async function put({ aws }: OperationContext, inputs: Inputs): Promise<void> {
  await aws.events.call("PutTargets", {
    Rule: inputs.requiredString("rule"),
    Targets: [{ Id: inputs.requiredString("targetId"), Arn: inputs.requiredString("arn") }],
  });
}
