import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import { nameProperties } from "../nameProperties";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { json, text } from "../valueRules";

const MISSING = ["ResourceNotFoundException"];

/** Source: terraform-provider-aws, `internal/service/events/validate.go`. */
const form = { matches: /^[0-9A-Za-z_.-]+$/, expected: 'of letters, digits and "_", "-", "."' };

/**
 * `aws.cloudwatch.EventRule` on the default bus, with a pattern. Its id is its name. Source: terraform-provider-aws,
 * `internal/service/events/rule.go`.
 */
export const eventRule: ResourceKind = {
  type: "aws:cloudwatch/eventRule:EventRule",
  title: "rule of EventBridge",
  regional: true,
  autoname: { maxLength: 64 },
  inputs: {
    ...nameProperties(text(1, 64, form), text(1, 64, form)),
    description: { type: "string", rule: text(0, 512) },
    eventPattern: { type: "string", json: true, rule: json },
  },
  outputs: ["arn", "tagsAll"],
  tagging: {
    change: async (context, name, { set, remove }) => {
      const ResourceARN = (await find(context, name))?.Arn;
      if (remove.length > 0) {
        await context.aws.events.call("UntagResource", { ResourceARN, TagKeys: remove });
      }
      if (Object.keys(set).length > 0) {
        await context.aws.events.call("TagResource", { ResourceARN, Tags: listOf(set) });
      }
    },
  },

  create: async (context, inputs) => {
    const name = chosenName(inputs);
    await put(context, name, inputs, context.tagsOf(inputs));
    return name;
  },

  read: async (context, name) => {
    const live = await find(context, name);
    if (live === undefined) {
      return undefined;
    }
    const { Tags = [] } = (await context.aws.events.call("ListTagsForResource", {
      ResourceARN: live.Arn,
    })) as { readonly Tags?: readonly Tag[] };
    return {
      name,
      arn: live.Arn,
      description: live.Description ?? null,
      eventPattern: live.EventPattern ?? null,
      tagsAll: Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])),
    };
  },

  update: (context, name, { news }) => put(context, name, news, {}),

  delete: async ({ aws }, Name) => {
    await unlessMissing(MISSING, () => aws.events.call("DeleteRule", { Name }));
  },
};

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

interface LiveRule {
  readonly Arn: string;
  readonly Description?: string;
  readonly EventPattern?: string;
}

async function find({ aws }: OperationContext, Name: string): Promise<LiveRule | undefined> {
  const found = await unlessMissing(MISSING, () => aws.events.call("DescribeRule", { Name }));
  return found as LiveRule | undefined;
}

async function put(
  { aws }: OperationContext,
  Name: string,
  inputs: Inputs,
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  await aws.events.call("PutRule", {
    Name,
    Description: inputs.string("description"),
    EventPattern: inputs.string("eventPattern"),
    ...(Object.keys(tags).length > 0 && { Tags: listOf(tags) }),
  });
}

function listOf(tags: Readonly<Record<string, string>>): Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}
