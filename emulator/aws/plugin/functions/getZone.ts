import {
  GetHostedZoneCommand,
  ListHostedZonesCommand,
  ListTagsForResourceCommand,
} from "@aws-sdk/client-route-53";
import type { AwsClients } from "../awsClients";
import type { FunctionKind } from "../functionKind";
import { withoutFinalDot } from "../hostedZone";
import { fromTagList } from "../tags";

/** `aws.route53.getZone` */
export const getZone: FunctionKind = {
  token: "aws:route53/getZone:getZone",
  inputs: {
    name: { type: "string" },
    zoneId: { type: "string" },
    privateZone: { type: "boolean" },
    vpcId: { type: "string" },
    tags: { type: "map" },
  },
  invoke: async ({ aws }, inputs) => {
    const name = inputs.string("name");
    const zoneId = inputs.string("zoneId");
    const wantsPrivate = inputs.boolean("privateZone") ?? false;
    if ((name === undefined) === (zoneId === undefined)) {
      throw new Error("exactly one of name and zoneId must be set to find a hosted zone");
    }
    const { HostedZones } = await aws.route53.send(new ListHostedZonesCommand({}));
    const vpcId = inputs.string("vpcId");
    const named = (HostedZones ?? []).filter((zone) =>
      zoneId === undefined
        ? withoutFinalDot(zone.Name ?? "") === withoutFinalDot(name ?? "") &&
          (zone.Config?.PrivateZone ?? false) === wantsPrivate
        : bareId(zone.Id) === zoneId,
    );
    const matching =
      vpcId === undefined
        ? named
        : await keepAsync(named, async ({ Id }) => {
            const { VPCs } = await aws.route53.send(new GetHostedZoneCommand({ Id }));
            return (VPCs ?? []).some(({ VPCId }) => VPCId === vpcId);
          });
    const tagged = await keepAsync(matching, (zone) => hasTags(aws, zone.Id, inputs.map("tags")));
    const [found] = tagged;
    if (found === undefined) {
      throw new Error(`no matching Route 53 Hosted Zone found: "${name ?? zoneId ?? ""}"`);
    }
    if (tagged.length > 1) {
      throw new Error(
        `there are ${tagged.length} hosted zones "${name ?? ""}" (` +
          `${tagged.map(({ Id }) => bareId(Id)).join(", ")}): choose one by its zoneId`,
      );
    }
    const id = bareId(found.Id);
    const { DelegationSet } = await aws.route53.send(new GetHostedZoneCommand({ Id: id }));
    const nameServers = [...(DelegationSet?.NameServers ?? [])].sort();
    return {
      id,
      zoneId: id,
      arn: `arn:aws:route53:::hostedzone/${id}`,
      name: withoutFinalDot(found.Name ?? ""),
      callerReference: found.CallerReference ?? "",
      comment: found.Config?.Comment ?? "",
      privateZone: found.Config?.PrivateZone ?? false,
      resourceRecordSetCount: found.ResourceRecordSetCount ?? 0,
      nameServers,
      primaryNameServer: nameServers[0] ?? "",
      tags: {},
    };
  },
};

async function keepAsync<T>(
  items: readonly T[],
  isKept: (item: T) => Promise<boolean>,
): Promise<T[]> {
  const kept = await Promise.all(items.map(isKept));
  return items.filter((_, index) => kept[index]);
}

async function hasTags(
  { route53 }: AwsClients,
  id: string | undefined,
  wanted: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (Object.keys(wanted).length === 0) {
    return true;
  }
  const { ResourceTagSet } = await route53.send(
    new ListTagsForResourceCommand({ ResourceType: "hostedzone", ResourceId: bareId(id) }),
  );
  const tags = fromTagList(ResourceTagSet?.Tags);
  return Object.entries(wanted).every(([key, value]) => tags[key] === value);
}

function bareId(id: string | undefined): string {
  return (id ?? "").replace("/hostedzone/", "");
}
