/**
 * Two placeholders for values that are unknown until the update runs. 32 bytes in base64 are
 * accepted as a key, a token or a certificate.
 */
export const PLACEHOLDERS = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

/** Whether a text stands for a value that is unknown until the update runs. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.includes(text);
}
