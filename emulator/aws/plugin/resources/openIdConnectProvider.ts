import {
  AddClientIDToOpenIDConnectProviderCommand,
  CreateOpenIDConnectProviderCommand,
  DeleteOpenIDConnectProviderCommand,
  GetOpenIDConnectProviderCommand,
  RemoveClientIDFromOpenIDConnectProviderCommand,
  TagOpenIDConnectProviderCommand,
  UntagOpenIDConnectProviderCommand,
  UpdateOpenIDConnectProviderThumbprintCommand,
} from "@aws-sdk/client-iam";
import { unlessMissing } from "../awsErrors";
import type { ResourceKind } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";
import { text, type ValueRule } from "../valueRules";

const MISSING = ["NoSuchEntity", "NoSuchEntityException"];

/** Source: terraform-provider-aws, `internal/service/iam/validate.go`, `validOpenIDURL`. */
const issuer: ValueRule = {
  expected: "an address that begins with https://, without a query",
  holds: (value) => /^https:\/\/[^/?#]+[^?]*$/.test(String(value)),
};

/**
 * `aws.iam.OpenIdConnectProvider`. AWS returns its URL without `https://`, which the provider
 * treats as equal.
 */
export const openIdConnectProvider: ResourceKind = {
  type: "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
  title: "IAM OpenID Connect provider",
  regional: false,
  inputs: {
    url: { type: "string", required: true, replaces: true, rule: issuer },
    clientIdLists: { type: "strings", required: true, unordered: true, rule: text(1, 255) },
    thumbprintLists: { type: "strings", computed: true, rule: text(40, 40) },
  },
  outputs: ["arn", "tagsAll"],
  tagging: {
    change: async ({ aws }, OpenIDConnectProviderArn, { set, remove }) => {
      if (remove.length > 0) {
        const TagKeys = [...remove];
        await aws.iam.send(
          new UntagOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, TagKeys }),
        );
      }
      if (Object.keys(set).length > 0) {
        const Tags = toTagList(set);
        await aws.iam.send(new TagOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, Tags }));
      }
    },
  },

  create: async (context, inputs) => {
    const { OpenIDConnectProviderArn } = await context.aws.iam.send(
      new CreateOpenIDConnectProviderCommand({
        Url: inputs.requiredString("url"),
        ClientIDList: inputs.strings("clientIdLists"),
        ThumbprintList: inputs.strings("thumbprintLists"),
        Tags: toTagList(context.tagsOf(inputs)),
      }),
    );
    return OpenIDConnectProviderArn ?? "";
  },

  read: async ({ aws }, id) => {
    const live = await unlessMissing(MISSING, () =>
      aws.iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: id })),
    );
    return (
      live && {
        arn: id,
        url: `https://${(live.Url ?? "").replace(/^https:\/\//, "")}`,
        clientIdLists: live.ClientIDList ?? [],
        thumbprintLists: live.ThumbprintList ?? [],
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async ({ aws }, OpenIDConnectProviderArn, { olds, news, touches }) => {
    const ThumbprintList = news.strings("thumbprintLists") ?? [];
    if (touches("thumbprintLists") && ThumbprintList.length > 0) {
      await aws.iam.send(
        new UpdateOpenIDConnectProviderThumbprintCommand({
          OpenIDConnectProviderArn,
          ThumbprintList,
        }),
      );
    }
    const before = olds.strings("clientIdLists") ?? [];
    const after = news.strings("clientIdLists") ?? [];
    for (const ClientID of after.filter((each) => !before.includes(each))) {
      await aws.iam.send(
        new AddClientIDToOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, ClientID }),
      );
    }
    for (const ClientID of before.filter((each) => !after.includes(each))) {
      await aws.iam.send(
        new RemoveClientIDFromOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, ClientID }),
      );
    }
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () =>
      aws.iam.send(new DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: id })),
    );
  },
};
