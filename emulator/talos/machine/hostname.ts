/** A host name in Talos' two parts. */
export interface Hostname {
  /** Up to the first dot. */
  readonly hostname: string;
  /** The rest after the first dot. May be empty. */
  readonly domainname: string;
  /** Both parts. */
  readonly fqdn: string;
}

/** Splits a fully qualified name. */
export function parseHostname(fqdn: string): Hostname {
  const [hostname = "", ...domain] = fqdn.split(".");
  return { hostname, domainname: domain.join("."), fqdn };
}
