import { createHash } from "node:crypto";

/** A configuration's text that need not be interpreted to know what it means. */
export interface KnownText {
  /** `fingerprintText` of it. */
  readonly fingerprint: string;
  /** SHA-256, hex, of its meaning: see `hashDocuments`. */
  readonly hash: string;
}

/** What tells a text from any other: 128 bits of its SHA-256, in hex. */
export function fingerprintText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
