import { createHash, type X509Certificate } from "node:crypto";

/**
 * Which servers in maintenance mode a client takes, by their fingerprints. Without any it takes the
 * first one that it meets, and from then on no other: a connection that is made anew reaches the same
 * server or fails.
 */
export class MaintenanceServers {
  #met: string | undefined;

  /** @param accepted fingerprints; none are taken of an empty list, any one when it is left out */
  constructor(readonly accepted?: readonly string[]) {}

  /** The fingerprint of the server that was met, once a handshake with it is over. */
  get met(): string | undefined {
    return this.#met;
  }

  /** Whether a server is one to be talked to; notes the one that is. */
  takes(fingerprint: string): boolean {
    if (this.#met !== undefined) return this.#met === fingerprint;
    if (this.accepted?.includes(fingerprint) === false) return false;
    this.#met = fingerprint;
    return true;
  }
}

/**
 * The fingerprint of a certificate, as `talosctl apply-config --cert-fingerprint` takes it and a machine
 * in maintenance mode prints it on its console: base64 of the SHA-256 of the public key. Talos makes the
 * key anew at each boot, and when the machine's names, addresses or time change (Talos v1.12.1,
 * secrets.MaintenanceController; siderolabs/crypto, x509.SPKIFingerprint).
 */
export function certificateFingerprint({ publicKey }: Pick<X509Certificate, "publicKey">): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

/** Whether a text can be a fingerprint. */
export function isCertificateFingerprint(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9+/]{43}=$/.test(text);
}
