import { randomUUID } from "node:crypto";
import {
  ChangeTagsForResourceCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  GetHostedZoneCommand,
  ListTagsForResourceCommand,
  UpdateHostedZoneCommentCommand,
} from "@aws-sdk/client-route-53";
import { unlessMissing } from "../awsErrors";
import { allRecords, changeRecords, withoutFinalDot } from "../hostedZone";
import { afterCreate, type ResourceKind, type Tagging } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";

const MISSING = ["NoSuchHostedZone"];

const tagging: Tagging = {
  change: async ({ aws }, id, { set, remove }) => {
    await aws.route53.send(
      new ChangeTagsForResourceCommand({
        ResourceType: "hostedzone",
        ResourceId: id,
        ...(Object.keys(set).length > 0 && { AddTags: toTagList(set) }),
        ...(remove.length > 0 && { RemoveTagKeys: [...remove] }),
      }),
    );
  },
};

/** `aws.route53.Zone`, public. */
export const zone: ResourceKind = {
  type: "aws:route53/zone:Zone",
  title: "hosted zone",
  regional: false,
  inputs: {
    name: { type: "string", required: true, replaces: true },
    comment: { type: "string", default: "Managed by Pulumi" },
    forceDestroy: { type: "boolean", default: false },
  },
  outputs: ["arn", "nameServers", "primaryNameServer", "tagsAll", "zoneId"],
  tagging,

  create: async (context, inputs) => {
    const { HostedZone } = await context.aws.route53.send(
      new CreateHostedZoneCommand({
        Name: inputs.requiredString("name"),
        CallerReference: randomUUID(),
        HostedZoneConfig: { Comment: inputs.string("comment"), PrivateZone: false },
      }),
    );
    const id = (HostedZone?.Id ?? "").replace("/hostedzone/", "");
    const tags = context.tagsOf(inputs);
    return afterCreate(id, async () => {
      if (Object.keys(tags).length > 0) {
        await tagging.change(context, id, { set: tags, remove: [] });
      }
    });
  },

  read: async ({ aws }, id) => {
    const found = await unlessMissing(MISSING, () =>
      aws.route53.send(new GetHostedZoneCommand({ Id: id })),
    );
    const live = found?.HostedZone;
    if (live === undefined) {
      return undefined;
    }
    const tags = await aws.route53.send(
      new ListTagsForResourceCommand({ ResourceType: "hostedzone", ResourceId: id }),
    );
    const nameServers = [...(found?.DelegationSet?.NameServers ?? [])].sort();
    return {
      arn: `arn:aws:route53:::hostedzone/${id}`,
      zoneId: id,
      name: withoutFinalDot(live.Name ?? ""),
      comment: live.Config?.Comment ?? "",
      nameServers,
      primaryNameServer: nameServers[0] ?? "",
      tagsAll: fromTagList(tags.ResourceTagSet?.Tags),
    };
  },

  update: async ({ aws }, id, { news, touches }) => {
    if (touches("comment")) {
      const Comment = news.string("comment");
      await aws.route53.send(new UpdateHostedZoneCommentCommand({ Id: id, Comment }));
    }
  },

  delete: async ({ aws }, id, state) => {
    await unlessMissing(MISSING, async () => {
      if (state.boolean("forceDestroy") === true) {
        const name = state.requiredString("name");
        const records = (await allRecords(aws, id)).filter(
          ({ Name, Type }) =>
            withoutFinalDot(Name ?? "") !== name || (Type !== "NS" && Type !== "SOA"),
        );
        const changes = records.map((record) => ({ action: "DELETE", record }) as const);
        await changeRecords(aws, id, changes);
      }
      await aws.route53.send(new DeleteHostedZoneCommand({ Id: id }));
    });
  },
};
