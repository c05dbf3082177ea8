import { createHash } from "node:crypto";

/** A configuration's text with a known content hash, so it need not be parsed. */
export interface KnownText {
  /** `fingerprintText` of it. */
  readonly fingerprint: string;
  /** SHA-256, hex, of its content: see `hashDocuments`. */
  readonly hash: string;
}

/** Identifies a text: 128 bits of its SHA-256, in hex. */
export function fingerprintText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
