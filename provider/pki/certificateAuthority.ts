import "reflect-metadata";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
} from "@peculiar/x509";
import { createKey, encodeKey, type KeyType } from "./privateKey";
import { systemRandomBytes, type RandomBytes } from "./randomBytes";
import type { CertificateAndKey } from "./secretsBundle";
import { createSerialNumber, distinguishedName, signCertificate } from "./signCertificate";

/** The properties of a new CA. */
export interface CertificateAuthorityRequest {
  /** The only part of its name. Without it the subject is empty, as in Talos' aggregator CA. */
  readonly organization?: string;
  readonly keyType: KeyType;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Determines key, certificate and signature. Default: the system's random source. */
  readonly randomBytes?: RandomBytes;
}

/**
 * Creates a self-signed CA with the same properties as in Talos v1.12.1 (taken from certificates of
 * `talosctl gen secrets`): digital signature and certificate signing, both TLS usages, no path
 * length, and a subject key identifier of 20 random bytes, not a hash of the key.
 */
export async function createCertificateAuthority(
  request: CertificateAuthorityRequest,
): Promise<CertificateAndKey> {
  const randomBytes = request.randomBytes ?? systemRandomBytes;
  const key = createKey(request.keyType, randomBytes);
  const serialNumber = createSerialNumber(randomBytes);
  const keyIdentifier = Buffer.from(randomBytes(20)).toString("hex");
  const { organization } = request;
  const name = distinguishedName(organization === undefined ? [] : [organization], undefined);
  const parts = {
    subject: name,
    issuer: name,
    serialNumber,
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
  const crt = await signCertificate(parts, request.randomBytes);
  return { crt, key: encodeKey(key) };
}
