import { unlessMissing } from "../awsErrors";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { json } from "../valueRules";

const MISSING = ["QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"];

/**
 * `aws.sqs.QueuePolicy`. Its id is the URL of its queue. Source: terraform-provider-aws,
 * `internal/service/sqs/queue_policy.go`.
 */
export const queuePolicy: ResourceKind = {
  type: "aws:sqs/queuePolicy:QueuePolicy",
  title: "policy of a queue",
  regional: true,
  inputs: {
    queueUrl: { type: "string", required: true, replaces: true },
    policy: { type: "string", required: true, json: true, rule: json },
  },
  outputs: [],

  create: async (context, inputs) => {
    const url = inputs.requiredString("queueUrl");
    await put(context, url, inputs.requiredString("policy"));
    return url;
  },

  read: async ({ aws }, queueUrl) => {
    const found = (await unlessMissing(MISSING, () =>
      aws.queues.call("GetQueueAttributes", { QueueUrl: queueUrl, AttributeNames: ["Policy"] }),
    )) as { readonly Attributes?: { readonly Policy?: string } } | undefined;
    const policy = found?.Attributes?.Policy ?? "";
    return policy === "" ? undefined : { queueUrl, policy };
  },

  update: (context, url, { news }) => put(context, url, news.requiredString("policy")),

  delete: async (context, url) => {
    await unlessMissing(MISSING, () => put(context, url, ""));
  },
};

async function put({ aws }: OperationContext, QueueUrl: string, Policy: string): Promise<void> {
  await aws.queues.call("SetQueueAttributes", { QueueUrl, Attributes: { Policy } });
}
