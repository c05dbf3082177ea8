/** A host name in the two parts Talos keeps it in. */
export interface Hostname {
  /** Up to the first dot. */
  readonly hostname: string;
  /** What follows it; may be empty. */
  readonly domainname: string;
  /** Both. */
  readonly fqdn: string;
}

/** Parts a fully qualified name. */
export function parseHostname(fqdn: string): Hostname {
  const [hostname = "", ...domain] = fqdn.split(".");
  return { hostname, domainname: domain.join("."), fqdn };
}
