import { createCipheriv, createHmac, type CipherGCMTypes } from "node:crypto";

/** Why a peer's certificate is refused; numbers of RFC 8446, section 6. */
export type TlsAlert =
  "badCertificate" | "certificateExpired" | "unknownCa" | "certificateRequired";

const descriptions: Readonly<Record<TlsAlert, number>> = {
  badCertificate: 42,
  certificateExpired: 45,
  unknownCa: 48,
  certificateRequired: 116,
};

/** Content types and the fatal level of RFC 8446, sections 5.1 and 6. */
const contentType = { alert: 21, applicationData: 23 };
const FATAL = 2;
const TAG_LENGTH = 16;

interface RecordProtection {
  readonly hash: string;
  readonly algorithm: CipherGCMTypes | "chacha20-poly1305";
  readonly keyLength: number;
}

/** The default TLS 1.3 cipher suites of OpenSSL (RFC 8446, appendix B.4). */
const protections: Readonly<Record<string, RecordProtection>> = {
  TLS_AES_128_GCM_SHA256: { hash: "sha256", algorithm: "aes-128-gcm", keyLength: 16 },
  TLS_AES_256_GCM_SHA384: { hash: "sha384", algorithm: "aes-256-gcm", keyLength: 32 },
  TLS_CHACHA20_POLY1305_SHA256: { hash: "sha256", algorithm: "chacha20-poly1305", keyLength: 32 },
};

/**
 * A fatal alert as an encrypted TLS 1.3 record; `undefined` for an unsupported cipher suite.
 *
 * Node verifies a client's certificate only after the handshake and then closes the connection, and
 * has no API for alerts. A Go server sends an alert with the reason, and clients report it. So the
 * record is built here with the connection's own keys.
 *
 * @param secret the server's application traffic secret, from the key log
 * @param sequence the number of records that the server has sent with that secret
 */
export function alertRecord(
  alert: TlsAlert,
  cipherSuite: string,
  secret: Buffer,
  sequence: number,
): Buffer | undefined {
  const protection = protections[cipherSuite];
  if (!protection) {
    return undefined;
  }
  const key = expandLabel(secret, protection.hash, "key", protection.keyLength);
  const nonce = expandLabel(secret, protection.hash, "iv", 12);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);

  const inner = Buffer.from([FATAL, descriptions[alert], contentType.alert]);
  const header = Buffer.from([contentType.applicationData, 3, 3, 0, inner.length + TAG_LENGTH]);
  const options = { authTagLength: TAG_LENGTH };
  const cipher =
    protection.algorithm === "chacha20-poly1305"
      ? createCipheriv(protection.algorithm, key, nonce, options)
      : createCipheriv(protection.algorithm, key, nonce, options);
  cipher.setAAD(header, { plaintextLength: inner.length });
  return Buffer.concat([header, cipher.update(inner), cipher.final(), cipher.getAuthTag()]);
}

/** HKDF-Expand-Label of RFC 8446, section 7.1, for at most one block of the hash. */
function expandLabel(secret: Buffer, hash: string, name: string, length: number): Buffer {
  const label = Buffer.from(`tls13 ${name}`);
  const info = Buffer.concat([Buffer.from([0, length, label.length]), label, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
