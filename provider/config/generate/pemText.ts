import { isPlaceholder } from "../placeholder";

/** The PEM text of a value in base64. A value that is not made yet stays as it is. */
export function pemText(base64: string): string {
  return isPlaceholder(base64) ? base64 : Buffer.from(base64, "base64").toString("utf8");
}
