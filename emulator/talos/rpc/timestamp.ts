/** A time as `google.protobuf.Timestamp`. */
export function timestamp(time: Date): { seconds: string; nanos: number } {
  const milliseconds = time.getTime();
  return {
    seconds: `${Math.floor(milliseconds / 1000)}`,
    nanos: (milliseconds % 1000) * 1_000_000,
  };
}
