import "reflect-metadata";
import { createPublicKey, webcrypto, type KeyObject } from "node:crypto";
import {
  Name,
  X509CertificateGenerator,
  type Extension,
  type JsonNameParams,
  type X509CertificateCreateParams,
} from "@peculiar/x509";
import { encodeBase64Pem } from "./pem";
import type { RandomBytes } from "./randomBytes";
import { signSeeded } from "./seededKeys";

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
 * Signs a certificate, and returns it as base64 of PEM.
 *
 * Ed25519 and RSA signatures follow from key and content. An ECDSA signature contains a secret
 * number, which OpenSSL draws itself unless `randomBytes` is given. Raises an `Error` for a signing
 * key of an unsupported kind.
 */
export async function signCertificate(
  parts: CertificateParts,
  randomBytes?: RandomBytes,
): Promise<string> {
  const { key, signingKey, extensions, ...rest } = parts;
  const algorithm = signingAlgorithm(signingKey);
  const content = {
    ...rest,
    extensions: [...extensions],
    publicKey: createPublicKey(key).export({ format: "der", type: "spki" }),
  };
  if (algorithm.name === "ECDSA" && randomBytes !== undefined) {
    const finish = (signature: Uint8Array) =>
      create({ ...content, signingAlgorithm: algorithm, signature });
    const unsigned = await finish(new Uint8Array(64));
    return encode(await finish(signSeeded(firstElement(unsigned), signingKey, randomBytes)));
  }
  const pkcs8 = signingKey.export({ format: "der", type: "pkcs8" });
  const imported = await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  return encode(await create({ ...content, signingKey: imported }));
}

async function create(params: X509CertificateCreateParams): Promise<Uint8Array> {
  return new Uint8Array((await X509CertificateGenerator.create(params, webcrypto)).rawData);
}

function encode(certificate: Uint8Array): string {
  return encodeBase64Pem("CERTIFICATE", certificate);
}

/** The first element of a DER sequence, with its header. In a certificate it is the signed part. */
function firstElement(sequence: Uint8Array): Uint8Array {
  const start = contentOf(sequence, 0).start;
  return sequence.subarray(start, contentOf(sequence, start).end);
}

/** The content of the DER element at an offset (X.690, section 8.1.3). */
function contentOf(der: Uint8Array, offset: number): { start: number; end: number } {
  const first = der[offset + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const start = offset + 2 + lengthBytes;
  const long = Buffer.from(der.subarray(offset + 2, start)).toString("hex");
  return { start, end: start + (lengthBytes === 0 ? first : parseInt(long, 16)) };
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
export function createSerialNumber(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(16)).toString("hex");
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
