import type { Timestamp__Output } from "./gen/google/protobuf/Timestamp";

/** A point in time as RFC 3339 text in UTC with milliseconds; undefined for none and for Go's zero time. */
export function formatTimestamp(timestamp: Timestamp__Output | null): string | undefined {
  if (!timestamp) {
    return undefined;
  }
  const milliseconds = Number(timestamp.seconds) * 1000 + Math.floor(timestamp.nanos / 1e6);
  const isZero = new Date(milliseconds).getUTCFullYear() <= 1;
  return isZero ? undefined : new Date(milliseconds).toISOString();
}
