import { issueCertificate } from "./issueCertificate";
import type { RandomBytes } from "./randomBytes";
import type { CertificateAndKey } from "./secretsBundle";

/** What a client of the Talos API needs, each base64 of PEM, as a talosconfig holds them. */
export interface ClientCredentials {
  /** Certificate of the Talos CA: who the client takes for a machine of the cluster. */
  readonly ca: string;
  /** Client certificate, Ed25519; its organizations are the roles. */
  readonly crt: string;
  /** Its private key, `ED25519 PRIVATE KEY`. Secret. */
  readonly key: string;
}

/**
 * The roles of the Talos API that people are given (Talos v1.12.1, pkg/machinery/role):
 * `os:admin` may do everything, read all secrets included; `os:operator` may read and manage but
 * see no secrets; `os:reader` may only read what is not secret; `os:etcd:backup` may take etcd
 * snapshots.
 */
export const ROLES = ["os:admin", "os:operator", "os:reader", "os:etcd:backup"] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/**
 * Issues a client certificate of the Talos API, in the form `talosctl gen config` v1.12.1 does:
 * Ed25519, organizations = roles, usable as client and nothing else (machines refuse any further
 * usage).
 *
 * `authority` is the Talos CA, `certs.os` of the bundle. There is no way to take a certificate back
 * before it ends but to replace that CA: keep lifetimes short for anyone but the cluster's owner.
 * All is determined by the arguments if `randomBytes` is given. Raises an `Error` listing every
 * problem of the options, or saying that the CA cannot be read.
 */
export async function issueClientCredentials(
  authority: CertificateAndKey,
  options: {
    roles: readonly Role[];
    /** When the certificate begins to be valid; not set back. */
    now: Date;
    lifetimeHours: number;
    /** Default: the system's random source. */
    randomBytes?: RandomBytes;
  },
): Promise<ClientCredentials> {
  const { roles, now, lifetimeHours, randomBytes } = options;
  checkOptions(roles, lifetimeHours);
  const client = await issueCertificate(authority, {
    organizations: [...new Set(roles)],
    usages: ["clientAuth"],
    notBefore: now,
    notAfter: new Date(now.getTime() + lifetimeHours * 3_600_000),
    keyType: "ed25519",
    ...(randomBytes === undefined ? {} : { randomBytes }),
  });
  return { ca: authority.crt, crt: client.crt, key: client.key };
}

function checkOptions(roles: readonly Role[], lifetimeHours: number): void {
  const problems: string[] = [];
  const allowed = ROLES.map((role) => `"${role}"`).join(", ");
  if (roles.length === 0) problems.push(`no role is given: allowed are ${allowed}`);
  for (const role of roles) {
    if (!ROLES.includes(role)) problems.push(`"${role}" is no role: allowed are ${allowed}`);
  }
  if (!(lifetimeHours > 0 && Number.isFinite(lifetimeHours))) {
    problems.push(`a lifetime of ${lifetimeHours} hours is not possible: give more than 0`);
  }
  if (problems.length > 0) {
    throw new Error(`cannot issue the client certificate: ${problems.join("; ")}`);
  }
}
