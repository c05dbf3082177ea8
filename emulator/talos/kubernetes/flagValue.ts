import { isIP } from "node:net";

/** How many nanoseconds a Go duration has at most: it is an int64. */
const MAX_NANOSECONDS = 2n ** 63n;

const NANOSECONDS = new Map([
  ["ns", 1n],
  ["us", 10n ** 3n],
  ["µs", 10n ** 3n],
  ["μs", 10n ** 3n],
  ["ms", 10n ** 6n],
  ["s", 10n ** 9n],
  ["m", 60n * 10n ** 9n],
  ["h", 3_600n * 10n ** 9n],
]);

/** What the flags of a type take, by the type's name in Go's flag libraries. */
const takes: Readonly<Record<string, (text: string) => boolean>> = {
  bool: (text) => truthOf(text) !== undefined,
  duration: (text) => nanosecondsOf(text) !== undefined,
  int: (text) => isWhole(text, 64),
  int32: (text) => isWhole(text, 32),
  int64: (text) => isWhole(text, 64),
  uint: (text) => isUnsigned(text, 64),
  uint32: (text) => isUnsigned(text, 32),
  uint64: (text) => isUnsigned(text, 64),
  float32: isReal,
  float64: isReal,
  // klog's `--v` has base 10.
  Level: (text) => /^[+-]?\d+$/.test(text) && isSigned(BigInt(text.replace("+", "")), 32),
  ip: (text) => text === "" || (isIP(text.trim()) !== 0 && !text.includes("%")),
};

/**
 * Whether a program takes a text for a flag of a type; true for types whose texts aren't judged here. It
 * is a rule of the emulator's own: the product's (`valueProblem`) would share the product's errors.
 *
 * Sources: github.com/spf13/pflag v1.0.10; klog v2.130.1, `Level.Set`; Go 1.24, `strconv` and
 * `time.ParseDuration`. A test compares it with what they answered.
 */
export function takesFlagValue(type: string, text: string): boolean {
  return Object.hasOwn(takes, type) ? (takes[type]?.(text) ?? true) : true;
}

/** The truth value that Go reads in a text; undefined in other texts. */
export function truthOf(text: string): boolean | undefined {
  const isTruth = /^(?:[1tT]|true|TRUE|True)$/.test(text);
  return isTruth || /^(?:[0fF]|false|FALSE|False)$/.test(text) ? isTruth : undefined;
}

/** The nanoseconds of a duration as Go reads it; undefined for other texts. */
export function nanosecondsOf(text: string): bigint | undefined {
  const isNegative = text.startsWith("-");
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") {
    return 0n;
  }
  let total = 0n;
  do {
    const [part = "", whole = "", fraction = "", unit = ""] =
      /^(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/.exec(rest) ?? [];
    const size = NANOSECONDS.get(unit);
    if (size === undefined || whole + fraction === "") {
      return undefined;
    }
    total += BigInt(whole) * size + (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    rest = rest.slice(part.length);
  } while (rest !== "");
  return total < MAX_NANOSECONDS + (isNegative ? 1n : 0n)
    ? isNegative
      ? -total
      : total
    : undefined;
}

/** A whole number as a literal of Go's: a prefix gives its base, and `_` separates digits. */
function wholeOf(text: string): bigint | undefined {
  const isNegative = text.startsWith("-");
  const literal = text.replace(/^[+-]/, "").toLowerCase();
  if (/__|_$|^_/.test(literal)) {
    return undefined;
  }
  const digits = literal.replaceAll("_", "");
  const octal = /^0[0-7]+$/.test(digits) ? digits.replace("0", "0o") : digits;
  if (!/^(?:0x[\da-f]+|0b[01]+|0o[0-7]+|[1-9]\d*|0)$/.test(octal)) {
    return undefined;
  }
  return isNegative ? -BigInt(octal) : BigInt(octal);
}

function isWhole(text: string, bits: number): boolean {
  const value = wholeOf(text);
  return value !== undefined && isSigned(value, bits);
}

function isSigned(value: bigint, bits: number): boolean {
  return BigInt.asIntN(bits, value) === value;
}

function isUnsigned(text: string, bits: number): boolean {
  const value = /^[+-]/.test(text) ? undefined : wholeOf(text);
  return value !== undefined && BigInt.asUintN(bits, value) === value;
}

function isReal(text: string): boolean {
  const number = text.replace(/^[+-]/, "").toLowerCase();
  if (/^(?:inf|infinity|nan)$/.test(number)) {
    return number === "nan" ? number === text.toLowerCase() : true;
  }
  if (/__|_$|^_|\._|_\./.test(number)) {
    return false;
  }
  const digits = number.replaceAll("_", "");
  return digits.startsWith("0x")
    ? /^0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)p[+-]?\d+$/.test(digits)
    : /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(digits) && Number.isFinite(Number(digits));
}
