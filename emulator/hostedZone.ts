import {
  CreateHostedZoneCommand,
  ListHostedZonesByNameCommand,
  Route53Client,
} from "@aws-sdk/client-route-53";
import type { DaemonHandle } from "./daemon";

/**
 * Makes a public hosted zone in an emulated account, as a domain's owner has one. Does nothing if it
 * is there.
 *
 * @param domain for example `example.com`
 * @returns whether it was made
 * @throws Error when Route 53 refuses the domain
 */
export async function makeHostedZone(
  { url: endpoint, region }: Pick<DaemonHandle, "url" | "region">,
  domain: string,
): Promise<boolean> {
  const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
  const client = new Route53Client({ endpoint, region, credentials });
  try {
    const { HostedZones = [] } = await client.send(
      new ListHostedZonesByNameCommand({ DNSName: domain, MaxItems: 1 }),
    );
    const isThere = HostedZones.some(
      ({ Name, Config }) => Name === `${domain}.` && Config?.PrivateZone !== true,
    );
    if (!isThere) {
      await client.send(new CreateHostedZoneCommand({ Name: domain, CallerReference: domain }));
    }
    return !isThere;
  } finally {
    client.destroy();
  }
}
