import { randomUUID } from "node:crypto";
import {
  AssociateVPCWithHostedZoneCommand,
  ChangeTagsForResourceCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  DisassociateVPCFromHostedZoneCommand,
  GetHostedZoneCommand,
  ListTagsForResourceCommand,
  UpdateHostedZoneCommentCommand,
  type VPC,
  type VPCRegion,
} from "@aws-sdk/client-route-53";
import { unlessMissing } from "../awsErrors";
import { allRecords, changeRecords, withoutFinalDot } from "../hostedZone";
import type { Inputs } from "../inputs";
import {
  afterCreate,
  type OperationContext,
  type ResourceKind,
  type Tagging,
} from "../resourceKind";
import { fromTagList, toTagList } from "../tags";
import { text, given } from "../valueRules";

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

/** `aws.route53.Zone`, public, or private with `vpcs`. */
export const zone: ResourceKind = {
  type: "aws:route53/zone:Zone",
  title: "hosted zone",
  regional: false,
  inputs: {
    name: { type: "string", required: true, replaces: true, rule: text(1, 1024) },
    comment: { type: "string", default: "Managed by Pulumi", rule: text(0, 256) },
    forceDestroy: { type: "boolean", default: false },
    vpcs: {
      type: "blocks",
      unordered: true,
      fields: {
        vpcId: { type: "string", required: true, rule: given },
        vpcRegion: { type: "string", computed: true },
      },
    },
  },
  outputs: ["arn", "nameServers", "primaryNameServer", "tagsAll", "zoneId"],
  tagging,

  create: async (context, inputs) => {
    const [first, ...others] = networks(context, inputs);
    const { HostedZone } = await context.aws.route53.send(
      new CreateHostedZoneCommand({
        Name: inputs.requiredString("name"),
        CallerReference: randomUUID(),
        HostedZoneConfig: { Comment: inputs.string("comment") },
        VPC: first,
      }),
    );
    const id = (HostedZone?.Id ?? "").replace("/hostedzone/", "");
    const tags = context.tagsOf(inputs);
    return afterCreate(id, async () => {
      for (const VPC of others) {
        await context.aws.route53.send(
          new AssociateVPCWithHostedZoneCommand({ HostedZoneId: id, VPC }),
        );
      }
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
      ...(live.Config?.PrivateZone === true && {
        vpcs: (found?.VPCs ?? []).map(({ VPCId, VPCRegion }) => ({
          vpcId: VPCId ?? "",
          vpcRegion: VPCRegion ?? "",
        })),
      }),
      tagsAll: fromTagList(tags.ResourceTagSet?.Tags),
    };
  },

  update: async (context, id, { olds, news, touches }) => {
    const { route53 } = context.aws;
    if (touches("comment")) {
      const Comment = news.string("comment");
      await route53.send(new UpdateHostedZoneCommentCommand({ Id: id, Comment }));
    }
    if (touches("vpcs")) {
      const before = networks(context, olds);
      const after = networks(context, news);
      // Additions come first, because a private zone must keep at least one network.
      for (const VPC of without(after, before)) {
        await route53.send(new AssociateVPCWithHostedZoneCommand({ HostedZoneId: id, VPC }));
      }
      for (const VPC of without(before, after)) {
        await route53.send(new DisassociateVPCFromHostedZoneCommand({ HostedZoneId: id, VPC }));
      }
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

/** The networks of a private zone; their default region is the provider's. */
function networks({ region }: OperationContext, inputs: Inputs): VPC[] {
  return inputs.blocks("vpcs").map((network) => ({
    VPCId: network.requiredString("vpcId"),
    VPCRegion: (network.string("vpcRegion") ?? region) as VPCRegion,
  }));
}

function without(networks: readonly VPC[], others: readonly VPC[]): VPC[] {
  return networks.filter(({ VPCId }) => !others.some((other) => other.VPCId === VPCId));
}
