import {
  CreateKeyCommand,
  DescribeKeyCommand,
  DisableKeyRotationCommand,
  EnableKeyRotationCommand,
  GetKeyRotationStatusCommand,
  paginateListResourceTags,
  ScheduleKeyDeletionCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateKeyDescriptionCommand,
} from "@aws-sdk/client-kms";
import { unlessMissing } from "../awsErrors";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { between, text } from "../valueRules";

const MISSING = ["NotFoundException"];

/**
 * `aws.kms.Key`, symmetric. Its delete only schedules the deletion, after which the key counts as
 * deleted.
 */
export const key: ResourceKind = {
  type: "aws:kms/key:Key",
  title: "key",
  regional: true,
  inputs: {
    description: { type: "string", computed: true, rule: text(0, 8192) },
    enableKeyRotation: { type: "boolean", default: false },
    deletionWindowInDays: { type: "number", rule: between(7, 30) },
  },
  outputs: ["arn", "keyId", "tagsAll"],
  tagging: {
    change: async ({ aws }, KeyId, { set, remove }) => {
      if (remove.length > 0) {
        await aws.kms.send(new UntagResourceCommand({ KeyId, TagKeys: [...remove] }));
      }
      if (Object.keys(set).length > 0) {
        await aws.kms.send(new TagResourceCommand({ KeyId, Tags: toKmsTags(set) }));
      }
    },
  },

  create: async (context, inputs) => {
    const { KeyMetadata } = await context.aws.kms.send(
      new CreateKeyCommand({
        Description: inputs.string("description"),
        Tags: toKmsTags(context.tagsOf(inputs)),
      }),
    );
    const id = KeyMetadata?.KeyId ?? "";
    return afterCreate(id, () => rotate(context, id, inputs.boolean("enableKeyRotation")));
  },

  read: async ({ aws }, KeyId) => {
    const found = await unlessMissing(MISSING, () =>
      aws.kms.send(new DescribeKeyCommand({ KeyId })),
    );
    const live = found?.KeyMetadata;
    if (live === undefined || live.KeyState === "PendingDeletion") {
      return undefined;
    }
    const { KeyRotationEnabled } = await aws.kms.send(new GetKeyRotationStatusCommand({ KeyId }));
    const tagsAll: Record<string, string> = {};
    for await (const { Tags = [] } of paginateListResourceTags({ client: aws.kms }, { KeyId })) {
      for (const { TagKey = "", TagValue = "" } of Tags) {
        tagsAll[TagKey] = TagValue;
      }
    }
    return {
      arn: live.Arn ?? "",
      keyId: KeyId,
      description: live.Description ?? "",
      enableKeyRotation: KeyRotationEnabled ?? false,
      tagsAll,
    };
  },

  update: async (context, KeyId, { news, touches }) => {
    if (touches("description")) {
      const Description = news.string("description") ?? "";
      await context.aws.kms.send(new UpdateKeyDescriptionCommand({ KeyId, Description }));
    }
    if (touches("enableKeyRotation")) {
      await rotate(context, KeyId, news.boolean("enableKeyRotation"));
    }
  },

  delete: async ({ aws }, KeyId, state) => {
    // AWS refuses to schedule a deletion twice.
    await unlessMissing([...MISSING, "KMSInvalidStateException"], () =>
      aws.kms.send(
        new ScheduleKeyDeletionCommand({
          KeyId,
          PendingWindowInDays: state.number("deletionWindowInDays"),
        }),
      ),
    );
  },
};

async function rotate({ aws }: OperationContext, KeyId: string, isOn = false): Promise<void> {
  await (isOn
    ? aws.kms.send(new EnableKeyRotationCommand({ KeyId }))
    : aws.kms.send(new DisableKeyRotationCommand({ KeyId })));
}

function toKmsTags(tags: Readonly<Record<string, string>>) {
  return Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
}
