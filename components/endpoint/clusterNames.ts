import type { TalosClusterArgs } from "../cluster/arguments/talosClusterArgs";

/** The names a cluster has in DNS: its own, and that of the zone it lies in. */
export function clusterNames({
  environment,
  domain,
  dns = {},
}: Pick<TalosClusterArgs, "environment" | "domain" | "dns">) {
  const recordName = `k8s.${environment}.${domain}`;
  // A private zone hides every name it could hold from its network, so it is made for this one alone.
  const made = dns.privateZone === true ? recordName : `${environment}.${domain}`;
  return { recordName, zoneName: dns.zoneName ?? (dns.createZone === true ? made : domain) };
}
