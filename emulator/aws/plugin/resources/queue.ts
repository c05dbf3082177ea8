import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { ResourceKind } from "../resourceKind";
import { between } from "../valueRules";

const MISSING = ["QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"];

/** The attributes of a queue as AWS has them: texts by their names. */
type Attributes = Readonly<Record<string, string>>;

/**
 * `aws.sqs.Queue`, without FIFO and without queues for what fails. Its id is its URL. The provider judges a name only
 * when it is known whole, which its schema doesn't say. Source: terraform-provider-aws, `internal/service/sqs/queue.go`.
 */
export const queue: ResourceKind = {
  type: "aws:sqs/queue:Queue",
  title: "queue",
  regional: true,
  autoname: { maxLength: 80 },
  inputs: {
    name: { type: "string", computed: true, replaces: true },
    namePrefix: { type: "string", computed: true, replaces: true, conflictsWith: ["name"] },
    messageRetentionSeconds: { type: "number", default: 345_600, rule: between(60, 1_209_600) },
    sqsManagedSseEnabled: { type: "boolean", computed: true },
  },
  outputs: ["arn", "url", "tagsAll"],
  tagging: {
    change: async ({ aws }, QueueUrl, { set, remove }) => {
      if (remove.length > 0) {
        await aws.queues.call("UntagQueue", { QueueUrl, TagKeys: remove });
      }
      if (Object.keys(set).length > 0) {
        await aws.queues.call("TagQueue", { QueueUrl, Tags: set });
      }
    },
  },

  create: async (context, inputs) => {
    const answer = (await context.aws.queues.call("CreateQueue", {
      QueueName: chosenName(inputs),
      Attributes: attributesOf(inputs),
      tags: context.tagsOf(inputs),
    })) as { readonly QueueUrl: string };
    return answer.QueueUrl;
  },

  read: async ({ aws }, url) => {
    const found = (await unlessMissing(MISSING, () =>
      aws.queues.call("GetQueueAttributes", { QueueUrl: url, AttributeNames: ["All"] }),
    )) as { readonly Attributes: Attributes } | undefined;
    if (found === undefined) {
      return undefined;
    }
    const { Tags = {} } = (await aws.queues.call("ListQueueTags", { QueueUrl: url })) as {
      readonly Tags?: Record<string, string>;
    };
    const { Attributes: live } = found;
    return {
      name: url.slice(url.lastIndexOf("/") + 1),
      arn: live.QueueArn ?? "",
      url,
      messageRetentionSeconds: Number(live.MessageRetentionPeriod),
      sqsManagedSseEnabled: live.SqsManagedSseEnabled === "true",
      tagsAll: Tags,
    };
  },

  update: async ({ aws }, QueueUrl, { news }) => {
    await aws.queues.call("SetQueueAttributes", { QueueUrl, Attributes: attributesOf(news) });
  },

  delete: async ({ aws }, QueueUrl) => {
    await unlessMissing(MISSING, () => aws.queues.call("DeleteQueue", { QueueUrl }));
  },
};

function attributesOf(inputs: Inputs): Attributes {
  const isEncrypted = inputs.boolean("sqsManagedSseEnabled");
  return {
    MessageRetentionPeriod: String(inputs.number("messageRetentionSeconds")),
    ...(isEncrypted !== undefined && { SqsManagedSseEnabled: String(isEncrypted) }),
  };
}
