import { isIP } from "node:net";
import {
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type HostedZone,
  type ResourceRecordSet,
  type Route53Client,
} from "@aws-sdk/client-route-53";

/** Most names one answer may lead through. */
const LONGEST_CHAIN = 8;

/** What the emulated cloud's DNS answers from. */
export interface NameResolverOptions {
  readonly client: Route53Client;
  /** Address of a name AWS itself gave: of a load balancer, or an instance. */
  readonly addressOfAwsName: (name: string) => string | undefined;
}

/**
 * Answers as the emulated cloud's DNS does: for records of hosted zones (A, AAAA, CNAME, alias), for
 * names of load balancers and of instances. An address is its own answer.
 *
 * @returns nothing for a name there is none for.
 */
export async function resolveName(
  hostname: string,
  options: NameResolverOptions,
): Promise<string[]> {
  let name = normalized(hostname);
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    if (isIP(name) !== 0) {
      return [name];
    }
    const own = options.addressOfAwsName(name);
    if (own !== undefined) {
      return [own];
    }
    const records = await recordsOf(name, options.client);
    const addresses = records
      .filter(({ Type }) => Type === "A" || Type === "AAAA")
      .flatMap(({ ResourceRecords }) => ResourceRecords ?? [])
      .flatMap(({ Value }) => (Value === undefined ? [] : [Value]));
    if (addresses.length > 0) {
      return addresses;
    }
    const next =
      records.find(({ AliasTarget }) => AliasTarget !== undefined)?.AliasTarget?.DNSName ??
      records.find(({ Type }) => Type === "CNAME")?.ResourceRecords?.[0]?.Value;
    if (next === undefined) {
      return [];
    }
    name = normalized(next);
  }
  return [];
}

/** Records with this name in the hosted zone that is responsible for it: the longest that fits. */
async function recordsOf(name: string, client: Route53Client): Promise<ResourceRecordSet[]> {
  const { HostedZones } = await client.send(new ListHostedZonesCommand({}));
  const zone = (HostedZones ?? [])
    .filter((candidate) => isInside(name, zoneName(candidate)))
    .sort((a, b) => zoneName(b).length - zoneName(a).length)[0];
  if (zone === undefined) {
    return [];
  }
  const { ResourceRecordSets } = await client.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zone.Id, StartRecordName: name }),
  );
  return (ResourceRecordSets ?? []).filter((record) => normalized(record.Name ?? "") === name);
}

function zoneName(zone: HostedZone): string {
  return normalized(zone.Name ?? "");
}

function isInside(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
