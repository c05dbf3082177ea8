const nanosecondsPerUnit = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** The longest duration of Go, which is an int64, and of the other sign one nanosecond more. */
const MAX_NANOSECONDS = 2n ** 63n - 1n;

/**
 * The nanoseconds of a duration in Go's notation (`1h30m`, `2.5s`); undefined for other texts, and for
 * more than 292 years.
 */
export function parseDuration(text: string): bigint | undefined {
  if (/^[-+]?0$/.test(text)) {
    return 0n;
  }
  if (!/^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) {
    return undefined;
  }
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(
    /(\d*)\.?(\d*)([a-zµμ]+)/g,
  )) {
    const scale = nanosecondsPerUnit.get(unit) ?? 0n;
    total += BigInt(whole || "0") * scale;
    total += (BigInt(fraction || "0") * scale) / 10n ** BigInt(fraction.length);
  }
  const signed = text.startsWith("-") ? -total : total;
  return signed <= MAX_NANOSECONDS && signed >= -MAX_NANOSECONDS - 1n ? signed : undefined;
}

/** A duration in the notation of Go and Talos: `1m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const sign = nanoseconds < 0n ? "-" : "";
  if (size === 0n) {
    return "0s";
  }
  for (const [unit, next] of [
    ["ns", "us"],
    ["µs", "ms"],
    ["ms", "s"],
  ] as const) {
    if (size < (nanosecondsPerUnit.get(next) ?? 0n)) {
      return `${sign}${decimal(size, nanosecondsPerUnit.get(unit) ?? 1n)}${unit}`;
    }
  }
  const second = 1_000_000_000n;
  const minutes = size / (60n * second);
  const seconds = `${decimal(size % (60n * second), second)}s`;
  if (minutes === 0n) {
    return sign + seconds;
  }
  return minutes < 60n
    ? `${sign}${minutes}m${seconds}`
    : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const digits = unit.toString().length - 1;
  const fraction = (value % unit).toString().padStart(digits, "0").replace(/0+$/, "");
  return `${value / unit}${digits === 0 || fraction === "" ? "" : `.${fraction}`}`;
}
