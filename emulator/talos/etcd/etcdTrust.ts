/** The CAs of an etcd member. */
export interface EtcdTrust {
  /** The CA that signed its certificates, which it reads for each connection. */
  readonly issuer: string;
  /** The CAs of its peers' and clients' certificates, which it reads when it starts. */
  readonly trusted: readonly string[];
}

/**
 * The CAs of a machine's configuration: the first certificate issues, and all of them are trusted.
 * Source: talos v1.12.1, `controllers/etcd/pki.go`, `controllers/secrets/etcd.go`.
 *
 * @param certificates base64 of PEM, one or more
 */
export function etcdTrustOf(certificates: string | undefined): EtcdTrust | undefined {
  const pem = Buffer.from(certificates ?? "", "base64").toString("utf8");
  const trusted = pem.split(/(?=-----BEGIN )/).map((block) => block.trim());
  const [issuer = ""] = trusted;
  return certificates === undefined ? undefined : { issuer, trusted };
}

/** Whether two members can talk to each other: each trusts the CA of the other's certificates. */
export function areInTouch(one: EtcdTrust | undefined, other: EtcdTrust | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : one.trusted.includes(other.issuer) && other.trusted.includes(one.issuer);
}
