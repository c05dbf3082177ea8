import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

/** Talos' PEM label of Ed25519 keys, although the content is plain PKCS#8. */
export const talosEd25519Label = "ED25519 PRIVATE KEY";

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/;

/**
 * DER as base64 of PEM: lines of 64 characters, each with a line feed, also the last one. Go's
 * `encoding/pem`, and so every Talos file, has this form.
 */
export function encodeBase64Pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return toBase64([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n"));
}

/** PEM text as base64, the form in a secrets bundle, a machine configuration and a talosconfig. */
export function toBase64(pem: string): string {
  return Buffer.from(pem, "utf8").toString("base64");
}

/**
 * The PEM text in a base64 field.
 *
 * Raises an `Error` without the value, which may be a key, if there is none.
 */
export function fromBase64(base64Pem: string): string {
  const pem = Buffer.from(base64Pem, "base64").toString("utf8");
  if (!PEM_BLOCK.test(pem)) {
    throw new Error(
      `expected a certificate or key as base64 of PEM, got ${base64Pem.length} characters that are not; ` +
        `take the value of crt or key as it stands in the secrets bundle or talosconfig`,
    );
  }
  return pem;
}

/**
 * The PEM text of a key, with a label that Node and OpenSSL accept.
 *
 * They refuse `ED25519 PRIVATE KEY` (`ERR_OSSL_UNSUPPORTED`) but read the same bytes as `PRIVATE
 * KEY`. They accept `EC PRIVATE KEY` and `RSA PRIVATE KEY`. Raises an `Error` if the value is not
 * base64 of PEM.
 */
export function nodeKey(base64Pem: string): string {
  return fromBase64(base64Pem).replaceAll(talosEd25519Label, "PRIVATE KEY");
}

/**
 * The private key in a base64 PEM field. Raises an `Error` without any part of it if it can't be
 * read.
 */
export function readPrivateKey(base64Pem: string): KeyObject {
  return parsed(
    nodeKey(base64Pem),
    createPrivateKey,
    `private key that can be read; allowed are ${talosEd25519Label}, EC PRIVATE KEY, RSA PRIVATE KEY and PRIVATE KEY, none encrypted`,
  );
}

/** The first certificate in a base64 PEM field. Raises an `Error` if it can't be read. */
export function readCertificate(base64Pem: string): X509Certificate {
  return parsed(
    fromBase64(base64Pem),
    (pem) => new X509Certificate(pem),
    "X.509 certificate that can be read; expected CERTIFICATE",
  );
}

function parsed<Parsed>(pem: string, parse: (pem: string) => Parsed, what: string): Parsed {
  try {
    return parse(pem);
  } catch (cause) {
    const label = PEM_BLOCK.exec(pem)?.[1] ?? "";
    throw new Error(`the PEM block "${label}" holds no ${what}`, { cause });
  }
}

/**
 * Several certificates in one field, each base64 of PEM: concatenated in one PEM text. Go and
 * OpenSSL read all of them as trusted certificates. A single one stays unchanged.
 */
export function joinCertificates(certificates: readonly string[]): string {
  const [first = "", ...others] = certificates;
  return others.length === 0
    ? first
    : toBase64(certificates.map((each) => `${fromBase64(each).trimEnd()}\n`).join(""));
}
