import { createCertificateAuthority } from "../../../provider/pki/certificateAuthority";
import {
  issueClientCredentials,
  type ClientCredentials,
  type Role,
} from "../../../provider/pki/clientCredentials";
import { issueCertificate, selfSignedCertificate } from "../../../provider/pki/issueCertificate";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

const hourMs = 3_600_000;

/** A CA as a cluster's `certs.os` is. */
export function createOsCa(): Promise<CertificateAndKey> {
  return createCertificateAuthority({
    organization: "talos",
    keyType: "ed25519",
    notBefore: new Date(Date.now() - hourMs),
    notAfter: new Date(Date.now() + hourMs),
  });
}

/** A certificate as apid has it: hostname, addresses, server only. */
export function issueServerCertificate(
  ca: CertificateAndKey,
  options: { dnsNames?: string[]; ipAddresses?: string[]; notBefore?: Date; notAfter?: Date } = {},
): Promise<CertificateAndKey> {
  return issueCertificate(ca, {
    commonName: "node-1",
    dnsNames: options.dnsNames ?? ["node-1"],
    ipAddresses: options.ipAddresses ?? ["127.0.0.1"],
    usages: ["serverAuth"],
    notBefore: options.notBefore ?? new Date(Date.now() - hourMs),
    notAfter: options.notAfter ?? new Date(Date.now() + hourMs),
    keyType: "ed25519",
  });
}

/** A certificate as a node in maintenance mode makes it. */
export function createMaintenanceCertificate(): Promise<CertificateAndKey> {
  return selfSignedCertificate({
    // Talos v1.12.1, constants.MaintenanceServiceCommonName.
    commonName: "maintenance-service.talos.dev",
    ipAddresses: ["127.0.0.1"],
    usages: ["serverAuth"],
    notBefore: new Date(Date.now() - hourMs),
    notAfter: new Date(Date.now() + hourMs),
    keyType: "ed25519",
  });
}

/** Credentials as in a talosconfig. `agoHours` moves the hour they are valid for into the past. */
export function issueCredentials(
  ca: CertificateAndKey,
  { roles = ["os:admin"] as readonly Role[], agoHours = 0 } = {},
): Promise<ClientCredentials> {
  const now = new Date(Date.now() - agoHours * hourMs - 60_000);
  return issueClientCredentials(ca, { roles, now, lifetimeHours: 1 });
}
