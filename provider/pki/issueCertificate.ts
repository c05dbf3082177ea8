import "reflect-metadata";
import type { KeyObject } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  type Extension,
} from "@peculiar/x509";
import { readCertificate, readPrivateKey } from "./pem";
import { createKey, encodeKey, type KeyType } from "./privateKey";
import type { CertificateAndKey } from "./secretsBundle";
import { createSerialNumber, distinguishedName, signCertificate } from "./signCertificate";

/** The content of a certificate. */
export interface CertificateRequest {
  commonName?: string;
  /** Talos reads them as roles, Kubernetes as groups. */
  organizations?: readonly string[];
  /** DNS names of the holder; wildcards are allowed. */
  dnsNames?: readonly string[];
  /** IPv4 or IPv6 addresses of the holder. */
  ipAddresses?: readonly string[];
  /** At least one. The Talos API accepts only clients with exactly the usage `clientAuth`. */
  usages: readonly ("clientAuth" | "serverAuth")[];
  /** To the second; fractions are cut off. */
  notBefore: Date;
  notAfter: Date;
  /** The kind of a new key. */
  keyType: KeyType;
  /** Key and serial number in hex, for a certificate that must not change. Default: new ones. */
  identity?: { readonly key: KeyObject; readonly serialNumber: string };
}

/**
 * Creates a key, and a certificate of it that the CA signs: usage digital signature, the requested
 * extended usages, and the CA's key identifier if it has one.
 *
 * The key is in Talos' form: `ED25519 PRIVATE KEY` or `EC PRIVATE KEY`. Raises an `Error` with
 * every problem of the request, or one about an unreadable CA.
 */
export async function issueCertificate(
  ca: CertificateAndKey,
  request: CertificateRequest,
): Promise<CertificateAndKey> {
  checkRequest(request);
  const signingKey = readPrivateKey(ca.key);
  const issuer = readAuthority(ca, signingKey);
  const authorityKeyId = issuer.getExtension(SubjectKeyIdentifierExtension)?.keyId;
  const parts = leafParts(request, authorityKeyId);
  const crt = await signCertificate({ ...parts, issuer: issuer.subjectName, signingKey });
  return { crt, key: encodeKey(parts.key) };
}

/**
 * Creates a key and a certificate that it signs itself, for a server without a CA. It is not a CA.
 * Raises an `Error` with every problem of the request.
 */
export async function selfSignedCertificate(
  request: CertificateRequest,
): Promise<CertificateAndKey> {
  checkRequest(request);
  const parts = leafParts(request, undefined);
  const crt = await signCertificate({ ...parts, issuer: parts.subject, signingKey: parts.key });
  return { crt, key: encodeKey(parts.key) };
}

/**
 * Refuses a certificate and key that do not belong together, because their signatures could not be
 * verified.
 */
function readAuthority(ca: CertificateAndKey, signingKey: KeyObject): X509Certificate {
  const certificate = readCertificate(ca.crt);
  if (!certificate.checkPrivateKey(signingKey)) {
    throw new Error(
      `the CA's key is not the key of its certificate (subject "${certificate.subject || ""}", ` +
        `serial ${certificate.serialNumber}): give crt and key of one and the same CA`,
    );
  }
  return new X509Certificate(certificate.raw);
}

function leafParts(request: CertificateRequest, authorityKeyId: string | undefined) {
  const subject = distinguishedName(request.organizations ?? [], request.commonName);
  const extensions: Extension[] = [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(request.usages.map((usage) => ExtendedKeyUsage[usage])),
  ];
  if (authorityKeyId !== undefined) {
    extensions.push(new AuthorityKeyIdentifierExtension(authorityKeyId));
  }
  const alternativeNames = [
    ...(request.dnsNames ?? []).map((value) => ({ type: "dns" as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: "ip" as const, value })),
  ];
  if (alternativeNames.length > 0) {
    // RFC 5280, section 4.2.1.6: critical if the subject is empty.
    const critical = subject.toJSON().length === 0;
    extensions.push(new SubjectAlternativeNameExtension(alternativeNames, critical));
  }
  const { notBefore, notAfter, keyType } = request;
  const identity = request.identity ?? {
    key: createKey(keyType),
    serialNumber: createSerialNumber(),
  };
  return { subject, extensions, notBefore, notAfter, ...identity };
}

function checkRequest(request: CertificateRequest): void {
  const problems: string[] = [];
  if (request.usages.length === 0) {
    problems.push("no usage is given: give clientAuth, serverAuth or both");
  }
  const { notBefore, notAfter } = request;
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) {
    problems.push("notBefore and notAfter have to be valid dates");
  } else if (notAfter <= notBefore) {
    problems.push(
      `notAfter "${notAfter.toISOString()}" is not later than notBefore "${notBefore.toISOString()}"`,
    );
  }
  for (const address of request.ipAddresses ?? []) {
    if (isIP(address) === 0 || address.includes("%")) {
      problems.push(`"${address}" is no IPv4 or IPv6 address: put names into dnsNames`);
    }
  }
  for (const name of request.dnsNames ?? []) {
    if (!/^[\x21-\x7e]+$/.test(name)) {
      problems.push(`DNS name "${name}" is not in ASCII: write it in its punycode form (xn--…)`);
    }
  }
  if (problems.length > 0) {
    throw new Error(`cannot issue the certificate: ${problems.join("; ")}`);
  }
}
