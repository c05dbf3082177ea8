import { allow, partitionOf, type PolicyScope, type PolicyStatement } from "./policyDocument";

/**
 * The permissions of external-dns: it changes any record of the zones. To find them it lists all
 * zones of the account, which AWS can't limit.
 *
 * Source: docs/tutorials/aws.md of kubernetes-sigs/external-dns.
 */
export function planExternalDns(
  { region }: PolicyScope,
  zoneIds: readonly string[],
): PolicyStatement[] {
  if (zoneIds.length === 0) {
    return [];
  }
  const zones = zoneIds.map((id) => `arn:${partitionOf(region)}:route53:::hostedzone/${id}`);
  return [
    allow("DnsSee", ["route53:ListHostedZones"], "*"),
    allow(
      "DnsChange",
      [
        "route53:ChangeResourceRecordSets",
        "route53:ListResourceRecordSets",
        "route53:ListTagsForResources",
      ],
      zones,
    ),
  ];
}
