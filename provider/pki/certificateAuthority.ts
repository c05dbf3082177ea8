import "reflect-metadata";
import { randomBytes } from "node:crypto";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
} from "@peculiar/x509";
import { createKey, encodeKey, type KeyType } from "./privateKey";
import type { CertificateAndKey } from "./secretsBundle";
import { createSerialNumber, distinguishedName, signCertificate } from "./signCertificate";

/** The properties of a new CA. */
export interface CertificateAuthorityRequest {
  /** The only part of its name. Without it the subject is empty, as in Talos' aggregator CA. */
  readonly organization?: string;
  readonly keyType: KeyType;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * Creates a self-signed CA with the same properties as in Talos v1.12.1 (taken from certificates of
 * `talosctl gen secrets`): digital signature and certificate signing, both TLS usages, no path
 * length, and a subject key identifier of 20 random bytes, not a hash of the key.
 */
export async function createCertificateAuthority(
  request: CertificateAuthorityRequest,
): Promise<CertificateAndKey> {
  const key = createKey(request.keyType);
  const keyIdentifier = randomBytes(20).toString("hex");
  const { organization } = request;
  const name = distinguishedName(organization === undefined ? [] : [organization], undefined);
  const parts = {
    subject: name,
    issuer: name,
    serialNumber: createSerialNumber(),
    notBefore: request.notBefore,
    notAfter: request.notAfter,
    key,
    signingKey: key,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new BasicConstraintsExtension(true, undefined, true),
      new SubjectKeyIdentifierExtension(keyIdentifier),
    ],
  };
  const crt = await signCertificate(parts);
  return { crt, key: encodeKey(key) };
}
