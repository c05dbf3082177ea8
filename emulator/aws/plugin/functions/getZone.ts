import { GetHostedZoneCommand, ListHostedZonesCommand } from "@aws-sdk/client-route-53";
import type { FunctionKind } from "../functionKind";
import { withoutFinalDot } from "../hostedZone";

/** `aws.route53.getZone` */
export const getZone: FunctionKind = {
  token: "aws:route53/getZone:getZone",
  inputs: {
    name: { type: "string" },
    zoneId: { type: "string" },
    privateZone: { type: "boolean" },
    vpcId: { type: "string" },
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
    const [found] = matching;
    if (found === undefined) {
      throw new Error(`there is no hosted zone "${name ?? zoneId ?? ""}"`);
    }
    if (matching.length > 1) {
      throw new Error(
        `there are ${matching.length} hosted zones "${name ?? ""}" (` +
          `${matching.map(({ Id }) => bareId(Id)).join(", ")}): choose one by its zoneId`,
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

function bareId(id: string | undefined): string {
  return (id ?? "").replace("/hostedzone/", "");
}
