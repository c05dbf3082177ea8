import { createHash, type X509Certificate } from "node:crypto";

/**
 * The servers in maintenance mode that a client accepts, by their fingerprints. Without
 * fingerprints it accepts the first server that it meets, and later no other. So a new connection
 * reaches the same server or fails.
 */
export class MaintenanceServers {
  private currentMet: string | undefined;
  private currentRefused: string | undefined;

  /** @param accepted fingerprints. An empty list accepts none. Default: any */
  constructor(readonly accepted?: readonly string[]) {}

  /** The fingerprint of the server, once a handshake with it is complete. */
  get met(): string | undefined {
    return this.currentMet;
  }

  /** The fingerprint of the last server that was not accepted. */
  get refused(): string | undefined {
    return this.currentRefused;
  }

  /** Whether a server is accepted. Records the fingerprint of an accepted one. */
  takes(fingerprint: string): boolean {
    const isTaken =
      this.currentMet === undefined
        ? this.accepted?.includes(fingerprint) !== false
        : this.currentMet === fingerprint;
    if (isTaken) {
      this.currentMet = fingerprint;
    } else {
      this.currentRefused = fingerprint;
    }
    return isTaken;
  }
}

/**
 * The fingerprint of a certificate, as `talosctl apply-config --cert-fingerprint` accepts it and a
 * machine in maintenance mode prints it on its console: base64 of the SHA-256 of the public key.
 * Talos creates a new key at each boot, and when the machine's names, addresses or time change
 * (Talos v1.12.1, secrets.MaintenanceController; siderolabs/crypto, x509.SPKIFingerprint).
 */
export function certificateFingerprint({ publicKey }: Pick<X509Certificate, "publicKey">): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

/** Whether a text has the form of a fingerprint. */
export function isCertificateFingerprint(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9+/]{43}=$/.test(text);
}
