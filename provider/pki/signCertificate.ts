import "reflect-metadata";
import { createPublicKey, randomBytes, webcrypto, type KeyObject } from "node:crypto";
import {
  Name,
  X509CertificateGenerator,
  type Extension,
  type JsonNameParams,
} from "@peculiar/x509";
import { encodeBase64Pem } from "./pem";

/** The parts in which certificates of CAs and of holders differ. */
export interface CertificateParts {
  readonly subject: Name;
  readonly issuer: Name;
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Extension[];
  /** The private key of the subject; only its public half is part of the certificate. */
  readonly key: KeyObject;
  readonly signingKey: KeyObject;
}

/**
 * Signs a certificate, and returns it as base64 of PEM. Raises an `Error` for a signing key of an
 * unsupported kind.
 */
export async function signCertificate(parts: CertificateParts): Promise<string> {
  const { key, signingKey, extensions, ...rest } = parts;
  const algorithm = signingAlgorithm(signingKey);
  const pkcs8 = signingKey.export({ format: "der", type: "pkcs8" });
  const certificate = await X509CertificateGenerator.create(
    {
      ...rest,
      extensions: [...extensions],
      publicKey: createPublicKey(key).export({ format: "der", type: "spki" }),
      signingKey: await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]),
    },
    webcrypto,
  );
  return encodeBase64Pem("CERTIFICATE", new Uint8Array(certificate.rawData));
}

/** RSA is for CAs of imported kubeadm clusters; Talos creates none. */
function signingAlgorithm(
  key: KeyObject,
): webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | webcrypto.Algorithm {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === "ed25519") {
    return { name: "Ed25519" };
  }
  if (key.asymmetricKeyType === "rsa") {
    return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  }
  if (curve === "prime256v1") {
    return { name: "ECDSA", namedCurve: "P-256" };
  }
  const found = [key.asymmetricKeyType ?? key.type, ...(curve === undefined ? [] : [curve])];
  throw new Error(
    `cannot sign certificates with a CA key of type "${found.join(" ")}"; ` +
      `allowed are Ed25519, ECDSA on P-256 and RSA: give a CA with a key of one of these`,
  );
}

/** A certificate's serial number in hex: 128 random bits, as Talos draws them. */
export function createSerialNumber(): string {
  return randomBytes(16).toString("hex");
}

/**
 * A distinguished name of organizations and a common name, in the order and structure of Go's
 * `crypto/x509/pkix`: all organizations in one relative name, then the common name.
 *
 * Talos and Kubernetes read every organization as a role or group. Without organizations and a
 * common name, the name is empty.
 */
export function distinguishedName(
  organizations: readonly string[],
  commonName: string | undefined,
): Name {
  const name: JsonNameParams = [];
  if (organizations.length > 0) {
    name.push({ O: [...organizations].sort(byEncoding).map(attributeValue) });
  }
  if (commonName !== undefined) {
    name.push({ CN: [attributeValue(commonName)] });
  }
  return new Name(name);
}

/** Names the string type, because the library would parse a plain string (`#`, quotes, escapes). */
function attributeValue(text: string): { printableString: string } | { utf8String: string } {
  return Name.isPrintableString(text) ? { printableString: text } : { utf8String: text };
}

/** DER sorts the values of a set by their encoding; the length is the first byte that differs. */
function byEncoding(left: string, right: string): number {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length - rightBytes.length || Buffer.compare(leftBytes, rightBytes);
}
