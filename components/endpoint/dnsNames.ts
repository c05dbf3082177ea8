/** The arguments that decide a cluster's DNS names; see `TalosClusterArgs` and `ClusterDnsArgs`. */
export interface NameChoices {
  readonly environment: string;
  readonly domain: string;
  readonly dns?: {
    readonly zoneName?: string;
    readonly createZone?: boolean;
    readonly privateZone?: boolean;
  };
}

/** The DNS names of a cluster. */
export interface DnsNames {
  /** The cluster's own: that of the Kubernetes API. */
  readonly recordName: string;
  readonly zoneName: string;
}

/** The DNS names of a cluster: its own, and that of its zone. */
export function dnsNames({ environment, domain, dns = {} }: NameChoices): DnsNames {
  const recordName = `k8s.${environment}.${domain}`;
  // A private zone hides all its possible names from its network, so it covers only this one name.
  const made = dns.privateZone === true ? recordName : `${environment}.${domain}`;
  return { recordName, zoneName: dns.zoneName ?? (dns.createZone === true ? made : domain) };
}
