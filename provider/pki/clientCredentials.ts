import { issueCertificate } from "./issueCertificate";
import { readPrivateKey } from "./pem";
import type { RandomBytes } from "./randomBytes";
import type { CertificateAndKey } from "./secretsBundle";

/** What a client of the Talos API needs, each base64 of PEM, as a talosconfig holds them. */
export interface ClientCredentials {
  /** Certificate of the Talos CA: who the client takes for a machine of the cluster. */
  readonly ca: string;
  /** Client certificate; its organizations are the roles. */
  readonly crt: string;
  /** Its private key, `ED25519 PRIVATE KEY`; `EC PRIVATE KEY` where the CA is not Ed25519. Secret. */
  readonly key: string;
}

/**
 * The roles of the Talos API that people are given (Talos v1.12.1, pkg/machinery/role):
 * `os:admin` may do everything, read all secrets included; `os:operator` may read and manage but
 * see no secrets; `os:reader` may only read what is not secret; `os:etcd:backup` may take etcd
 * snapshots.
 */
export const ROLES = ["os:admin", "os:operator", "os:reader", "os:etcd:backup"] as const;

/** One of `ROLES`. */
export type Role = (typeof ROLES)[number];

/**
 * Issues a client certificate of the Talos API, in the form `talosctl gen config` v1.12.1 does:
 * organizations = roles, usable as client and nothing else (machines refuse any further usage).
 * Talos' own CAs are Ed25519, and so is the certificate's key; where a cluster has an ECDSA CA (as
 * Talos v1.11 makes in FIPS mode) or an RSA one, it is ECDSA P-256.
 *
 * `authority` is the Talos CA, `certs.os` of the bundle. There is no way to take a certificate back
 * before it ends but to replace that CA: keep lifetimes short for anyone but the cluster's owner.
 * A program can issue one for itself at each run, so that none is kept.
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
    keyType: readPrivateKey(authority.key).asymmetricKeyType === "ed25519" ? "ed25519" : "p256",
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
