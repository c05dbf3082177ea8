/** What a cluster's names follow from; `TalosClusterArgs` and `ClusterDnsArgs` say what each means. */
export interface NameChoices {
  readonly environment: string;
  readonly domain: string;
  readonly dns?: {
    readonly zoneName?: string;
    readonly createZone?: boolean;
    readonly privateZone?: boolean;
  };
}

/** The names a cluster has in DNS: its own, and that of the zone it lies in. */
export function clusterNames({ environment, domain, dns = {} }: NameChoices) {
  const recordName = `k8s.${environment}.${domain}`;
  // A private zone hides every name it could hold from its network, so it is made for this one alone.
  const made = dns.privateZone === true ? recordName : `${environment}.${domain}`;
  return { recordName, zoneName: dns.zoneName ?? (dns.createZone === true ? made : domain) };
}
