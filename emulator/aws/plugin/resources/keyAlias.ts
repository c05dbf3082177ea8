import {
  type AliasListEntry,
  CreateAliasCommand,
  DeleteAliasCommand,
  paginateListAliases,
  UpdateAliasCommand,
} from "@aws-sdk/client-kms";
import { unlessMissing } from "../awsErrors";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { text } from "../valueRules";

/** Source: terraform-provider-aws, `internal/service/kms/validate.go`. */
const aliasName = text(1, 256, {
  matches: /^alias\/(?!aws\/)[\w/-]+$/,
  expected: 'as in "alias/state", and not "alias/aws/…"',
});

/** `aws.kms.Alias`; its id is its name. */
export const keyAlias: ResourceKind = {
  type: "aws:kms/alias:Alias",
  title: "alias of a key",
  regional: true,
  inputs: {
    name: { type: "string", required: true, replaces: true, rule: aliasName },
    targetKeyId: { type: "string", required: true },
  },
  outputs: ["arn", "targetKeyArn"],

  create: async ({ aws }, inputs) => {
    const AliasName = inputs.requiredString("name");
    const TargetKeyId = inputs.requiredString("targetKeyId");
    await aws.kms.send(new CreateAliasCommand({ AliasName, TargetKeyId }));
    return AliasName;
  },

  read: async (context, name, state) => {
    const live = await find(context, name);
    if (live === undefined) {
      return undefined;
    }
    const { AliasArn: arn = "", TargetKeyId: keyId = "" } = live;
    const targetKeyArn = `${arn.slice(0, arn.length - name.length)}key/${keyId}`;
    // The input may be the key's id or its ARN.
    const targetKeyId = state.string("targetKeyId") === targetKeyArn ? targetKeyArn : keyId;
    return { name, arn, targetKeyId, targetKeyArn };
  },

  update: async ({ aws }, AliasName, { news }) => {
    const TargetKeyId = news.requiredString("targetKeyId");
    await aws.kms.send(new UpdateAliasCommand({ AliasName, TargetKeyId }));
  },

  delete: async ({ aws }, AliasName) => {
    await unlessMissing(["NotFoundException"], () =>
      aws.kms.send(new DeleteAliasCommand({ AliasName })),
    );
  },
};

async function find({ aws }: OperationContext, name: string): Promise<AliasListEntry | undefined> {
  for await (const { Aliases = [] } of paginateListAliases({ client: aws.kms }, {})) {
    // AWS' own aliases have no key until they are used.
    const found = Aliases.find(({ AliasName }) => AliasName === name);
    if (found?.TargetKeyId !== undefined) {
      return found;
    }
  }
  return undefined;
}
