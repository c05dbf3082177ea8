import { isIP } from "node:net";
import {
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type HostedZone,
  type ResourceRecordSet,
  type Route53Client,
} from "@aws-sdk/client-route-53";

/** The longest chain of aliases that is followed. */
const LONGEST_CHAIN = 8;

/** The sources of the emulated cloud's DNS. */
export interface NameResolverOptions {
  readonly client: Route53Client;
  /** Address of a name that AWS assigned to a load balancer or an instance. */
  readonly addressOfAwsName: (name: string) => string | undefined;
}

/**
 * Resolves records of hosted zones (A, AAAA, CNAME, alias) and the names of load balancers and
 * instances. An address resolves to itself.
 *
 * @returns an empty list for an unknown name.
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

/** Records with this name in its hosted zone, which is the one with the longest matching suffix. */
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
