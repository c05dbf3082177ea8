import { issueCertificate } from "./issueCertificate";
import { readPrivateKey } from "./pem";
import type { CertificateAndKey } from "./secretsBundle";

/** Credentials of a client of the Talos API, each base64 of PEM, as in a talosconfig. */
export interface ClientCredentials {
  /** Certificate of the Talos CA, which signs the machines' certificates. */
  readonly ca: string;
  /** Client certificate; its organizations are the roles. */
  readonly crt: string;
  /** Its private key, `ED25519 PRIVATE KEY`; `EC PRIVATE KEY` if the CA is not Ed25519. Secret. */
  readonly key: string;
}

/**
 * The roles of people in the Talos API (Talos v1.12.1, pkg/machinery/role): `os:admin` may do
 * everything, including reading all secrets; `os:operator` may read and manage but see no secrets;
 * `os:reader` may only read non-secret data; `os:etcd:backup` may take etcd snapshots.
 */
export const ROLES = ["os:admin", "os:operator", "os:reader", "os:etcd:backup"] as const;

/** One of `ROLES`. */
export type Role = (typeof ROLES)[number];

/**
 * Issues a client certificate of the Talos API, in the same form as `talosctl gen config` v1.12.1:
 * organizations = roles, with the client usage only (machines refuse any further usage). Talos' own
 * CAs are Ed25519, and so is the certificate's key. With an ECDSA CA (as Talos v1.11 creates in
 * FIPS mode) or an RSA one, the key is ECDSA P-256.
 *
 * `authority` is the Talos CA, `certs.os` of the bundle. A certificate can be revoked only by
 * replacing that CA, so keep lifetimes short for everyone except the cluster's owner. A program can
 * issue one for itself at each run, without storing it. Raises an `Error` with every problem of the
 * options, or one about an unreadable CA.
 */
export async function issueClientCredentials(
  authority: CertificateAndKey,
  options: {
    roles: readonly Role[];
    /** When the certificate becomes valid, without a backdate. */
    now: Date;
    lifetimeHours: number;
  },
): Promise<ClientCredentials> {
  const { roles, now, lifetimeHours } = options;
  checkOptions(roles, lifetimeHours);
  const client = await issueCertificate(authority, {
    organizations: [...new Set(roles)],
    usages: ["clientAuth"],
    notBefore: now,
    notAfter: new Date(now.getTime() + lifetimeHours * 3_600_000),
    keyType: readPrivateKey(authority.key).asymmetricKeyType === "ed25519" ? "ed25519" : "p256",
  });
  return { ca: authority.crt, crt: client.crt, key: client.key };
}

function checkOptions(roles: readonly Role[], lifetimeHours: number): void {
  const problems: string[] = [];
  const allowed = ROLES.map((role) => `"${role}"`).join(", ");
  if (roles.length === 0) {
    problems.push(`no role is given: allowed are ${allowed}`);
  }
  for (const role of roles) {
    if (!ROLES.includes(role)) {
      problems.push(`"${role}" is no role: allowed are ${allowed}`);
    }
  }
  if (!(lifetimeHours > 0 && Number.isFinite(lifetimeHours))) {
    problems.push(`a lifetime of ${lifetimeHours} hours is not valid: give more than 0`);
  }
  if (problems.length > 0) {
    throw new Error(`cannot issue the client certificate: ${problems.join("; ")}`);
  }
}
