/** A duration in Go's notation, to the millisecond: `1m0s`, `1h0m5s`, `500ms`. */
export function goDuration(durationMs: number): string {
  const totalMs = Math.round(durationMs);
  if (totalMs < 1000) {
    return totalMs === 0 ? "0s" : `${totalMs}ms`;
  }
  const totalSeconds = Math.floor(totalMs / 1000);
  const hours = Math.floor(totalSeconds / 3600);
  const minutes = Math.floor(totalSeconds / 60) % 60;
  const seconds = (totalSeconds % 60) + (totalMs % 1000) / 1000;
  if (hours > 0) {
    return `${hours}h${minutes}m${seconds}s`;
  }
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}

/** A time as `google.protobuf.Timestamp`. */
export function timestamp(time: Date): { seconds: string; nanos: number } {
  const milliseconds = time.getTime();
  return {
    seconds: `${Math.floor(milliseconds / 1000)}`,
    nanos: (milliseconds % 1000) * 1_000_000,
  };
}
