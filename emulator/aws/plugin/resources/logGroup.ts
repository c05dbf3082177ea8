import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import { nameProperties } from "../nameProperties";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { oneOf, text } from "../valueRules";

const MISSING = ["ResourceNotFoundException"];

/** A log group in the answer of `DescribeLogGroups`. */
interface LiveGroup {
  readonly logGroupName: string;
  readonly arn: string;
  readonly retentionInDays?: number;
  readonly kmsKeyId?: string;
  readonly logGroupClass?: string;
}

/** Source: terraform-provider-aws, `internal/service/logs/group.go`. */
const RETENTION = oneOf(
  0,
  1,
  3,
  5,
  7,
  14,
  30,
  60,
  90,
  120,
  150,
  180,
  365,
  400,
  545,
  731,
  1096,
  1827,
  2192,
  2557,
  2922,
  3288,
  3653,
);

/** Source: terraform-provider-aws, `internal/service/logs/validate.go`. */
const form = { matches: /^[\w./#-]*$/, expected: 'of letters, digits and "_", "-", "/", ".", "#"' };

/** `aws.cloudwatch.LogGroup`; its id is its name. */
export const logGroup: ResourceKind = {
  type: "aws:cloudwatch/logGroup:LogGroup",
  title: "log group",
  regional: true,
  autoname: { maxLength: 512 },
  inputs: {
    ...nameProperties(text(1, 512, form), text(1, 483, form)),
    retentionInDays: { type: "number", default: 0, rule: RETENTION },
    kmsKeyId: { type: "string" },
    skipDestroy: { type: "boolean", default: false },
  },
  outputs: ["arn", "logGroupClass", "tagsAll"],
  tagging: {
    change: async (context, name, { set, remove }) => {
      const resourceArn = (await find(context, name))?.arn;
      if (remove.length > 0) {
        await context.aws.logs.call("UntagResource", { resourceArn, tagKeys: remove });
      }
      if (Object.keys(set).length > 0) {
        await context.aws.logs.call("TagResource", { resourceArn, tags: set });
      }
    },
  },

  create: async (context, inputs) => {
    const logGroupName = chosenName(inputs);
    const tags = context.tagsOf(inputs);
    await context.aws.logs.call("CreateLogGroup", {
      logGroupName,
      kmsKeyId: inputs.string("kmsKeyId"),
      // AWS takes no empty list of them.
      ...(Object.keys(tags).length > 0 && { tags }),
    });
    return afterCreate(logGroupName, () =>
      retain(context, logGroupName, inputs.number("retentionInDays")),
    );
  },

  read: async (context, name, state) => {
    const live = await find(context, name);
    if (live === undefined) {
      return undefined;
    }
    const { tags } = (await context.aws.logs.call("ListTagsForResource", {
      resourceArn: live.arn,
    })) as { readonly tags?: Record<string, string> };
    return {
      name,
      arn: live.arn,
      retentionInDays: live.retentionInDays ?? 0,
      kmsKeyId: live.kmsKeyId ?? null,
      logGroupClass: live.logGroupClass ?? "STANDARD",
      // AWS doesn't know it.
      skipDestroy: state.boolean("skipDestroy") ?? false,
      tagsAll: tags ?? {},
    };
  },

  update: async (context, logGroupName, { news, touches }) => {
    if (touches("retentionInDays")) {
      await retain(context, logGroupName, news.number("retentionInDays"));
    }
    if (touches("kmsKeyId")) {
      const kmsKeyId = news.string("kmsKeyId");
      await (kmsKeyId === undefined
        ? context.aws.logs.call("DisassociateKmsKey", { logGroupName })
        : context.aws.logs.call("AssociateKmsKey", { logGroupName, kmsKeyId }));
    }
  },

  delete: async ({ aws }, logGroupName, state) => {
    if (state.boolean("skipDestroy") !== true) {
      await unlessMissing(MISSING, () => aws.logs.call("DeleteLogGroup", { logGroupName }));
    }
  },
};

async function retain(
  { aws }: OperationContext,
  logGroupName: string,
  retentionInDays = 0,
): Promise<void> {
  await (retentionInDays === 0
    ? aws.logs.call("DeleteRetentionPolicy", { logGroupName })
    : aws.logs.call("PutRetentionPolicy", { logGroupName, retentionInDays }));
}

async function find({ aws }: OperationContext, name: string): Promise<LiveGroup | undefined> {
  const { logGroups } = (await aws.logs.call("DescribeLogGroups", {
    logGroupNamePrefix: name,
  })) as { readonly logGroups: readonly LiveGroup[] };
  const found = logGroups.find(({ logGroupName }) => logGroupName === name);
  // The provider's ARN is that of the group alone, AWS' that of all its streams.
  return found && { ...found, arn: found.arn.replace(/:\*$/, "") };
}
