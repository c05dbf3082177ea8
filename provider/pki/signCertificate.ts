import "reflect-metadata";
import { createPublicKey, webcrypto, type KeyObject } from "node:crypto";
import {
  Name,
  X509CertificateGenerator,
  type Extension,
  type JsonNameParams,
} from "@peculiar/x509";
import { encodeBase64Pem } from "./pem";
import type { RandomBytes } from "./randomBytes";

/** The parts of a certificate that differ between a CA and the certificates it issues. */
export interface CertificateParts {
  readonly subject: Name;
  readonly issuer: Name;
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Extension[];
  /** The private key of the subject; only its public half enters the certificate. */
  readonly key: KeyObject;
  readonly signingKey: KeyObject;
}

/**
 * Signs a certificate and gives it as base64 of PEM.
 *
 * Ed25519 signatures are a function of key and content; ECDSA ones hold a random number that
 * OpenSSL draws itself and no caller can inject, so a certificate signed by a P-256 key differs in
 * its signature each time (and in its length by a byte or two) even if all else is the same.
 */
export async function signCertificate(parts: CertificateParts): Promise<string> {
  const certificate = await X509CertificateGenerator.create(
    {
      subject: parts.subject,
      issuer: parts.issuer,
      serialNumber: parts.serialNumber,
      notBefore: parts.notBefore,
      notAfter: parts.notAfter,
      extensions: [...parts.extensions],
      publicKey: createPublicKey(parts.key).export({ format: "der", type: "spki" }),
      signingKey: await importSigningKey(parts.signingKey),
    },
    webcrypto,
  );
  return encodeBase64Pem("CERTIFICATE", new Uint8Array(certificate.rawData));
}

function importSigningKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const pkcs8 = key.export({ format: "der", type: "pkcs8" });
  return webcrypto.subtle.importKey("pkcs8", pkcs8, signingAlgorithm(key), false, ["sign"]);
}

/** RSA is here for CAs of kubeadm clusters that were brought into a bundle; Talos makes none. */
function signingAlgorithm(
  key: KeyObject,
): webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | webcrypto.Algorithm {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === "ed25519") return { name: "Ed25519" };
  if (key.asymmetricKeyType === "rsa") return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  if (curve === "prime256v1") return { name: "ECDSA", namedCurve: "P-256" };
  const found = [key.asymmetricKeyType ?? key.type, ...(curve === undefined ? [] : [curve])];
  throw new Error(
    `cannot sign certificates with a CA key of type "${found.join(" ")}"; ` +
      `allowed are Ed25519, ECDSA on P-256 and RSA: give a CA with a key of one of these`,
  );
}

/** A certificate's serial number in hex: 128 random bits, as Talos draws them. */
export function createSerialNumber(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(16)).toString("hex");
}

/**
 * A distinguished name of organizations and a common name, in the order and structure Go's
 * `crypto/x509/pkix` gives: all organizations in one relative name, then the common name.
 *
 * Talos and Kubernetes read every organization as a role or group. No organization and no common
 * name make an empty name.
 */
export function distinguishedName(
  organizations: readonly string[],
  commonName: string | undefined,
): Name {
  const name: JsonNameParams = [];
  if (organizations.length > 0) {
    name.push({ O: [...organizations].sort(byEncoding).map(attributeValue) });
  }
  if (commonName !== undefined) name.push({ CN: [attributeValue(commonName)] });
  return new Name(name);
}

/** Names the string type, because the library would take a plain string apart (`#`, quotes, escapes). */
function attributeValue(text: string): { printableString: string } | { utf8String: string } {
  return Name.isPrintableString(text) ? { printableString: text } : { utf8String: text };
}

/** DER sorts the values of a set by their encoding, of which the length is the first byte to differ. */
function byEncoding(left: string, right: string): number {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length - rightBytes.length || Buffer.compare(leftBytes, rightBytes);
}
