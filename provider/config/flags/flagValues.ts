import { parseDuration } from "../schema/duration";
import { isAddress } from "../schema/formats";

/** The values that a type of flag accepts. */
interface ValueForm {
  readonly accepts: (text: string) => boolean;
  /** What it has to be, for a message. */
  readonly description: string;
}

/** Words of Go's `strconv.ParseBool`. */
const TRUE_WORDS = ["1", "t", "T", "TRUE", "true", "True"];
const FALSE_WORDS = ["0", "f", "F", "FALSE", "false", "False"];

/** Whole numbers with Go's base 0: also `0x1f`, `0b1` and `1_000`. */
const WHOLE =
  /^([+-]?)(0[xX](?:_?[\da-fA-F])+|0[bB](?:_?[01])+|0[oO]?(?:_?[0-7])+|[1-9](?:_?\d)*|0)$/;

/** Numbers as Go reads them; a hexadecimal one needs an exponent. */
const REAL =
  /^(?:[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[+-]?\d+)?|[+-]?0x_?(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)p[+-]?\d+|[+-]?inf|[+-]?infinity|nan)$/i;

const SIGNED = "a whole number";

const forms: Readonly<Record<string, ValueForm>> = {
  bool: { accepts: isTruth, description: '"true" or "false"' },
  duration: {
    accepts: (text) => parseDuration(text) !== undefined,
    description: "a duration with units, like 1h30m or 10s",
  },
  // klog's `--v`.
  Level: {
    accepts: (text) => /^[+-]?\d+$/.test(text) && isSigned(BigInt(text.replace("+", "")), 32),
    description: "a whole number of 32 bits",
  },
  int: whole(64),
  int32: whole(32),
  int64: whole(64),
  uint: unsigned(64),
  uint32: unsigned(32),
  uint64: unsigned(64),
  float32: { accepts: isReal, description: "a number" },
  float64: { accepts: isReal, description: "a number" },
  ip: {
    accepts: (text) => text === "" || (isAddress(text.trim()) && !text.includes("%")),
    description: "an IP address",
  },
};

/**
 * What a flag's value has to be; undefined if it fits, or if any text may be right for the type.
 *
 * Sources: github.com/spf13/pflag v1.0.10, `{bool,int,int32,int64,uint,float32,duration,ip}.go`; klog
 * v2.130.1, `Level.Set`; Go's package flag, which etcd uses, reads these types in the same way.
 *
 * @param type as the flag library names it
 */
export function valueProblem(type: string, text: string): string | undefined {
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  return form === undefined || form.accepts(text) ? undefined : form.description;
}

/** Whether Go reads a text as a truth value. */
export function isTruth(text: string): boolean {
  return isTrue(text) || FALSE_WORDS.includes(text);
}

/** Whether Go reads a text as true; false also for other texts. */
export function isTrue(text: string): boolean {
  return TRUE_WORDS.includes(text);
}

function whole(bits: number): ValueForm {
  const most = 2n ** BigInt(bits - 1) - 1n;
  return {
    accepts: (text) => {
      const value = parseWhole(text);
      return value !== undefined && isSigned(value, bits);
    },
    description: bits === 64 ? SIGNED : `a whole number of ${bits} bits, at most ${most}`,
  };
}

function isSigned(value: bigint, bits: number): boolean {
  return BigInt.asIntN(bits, value) === value;
}

function isReal(text: string): boolean {
  const digits = text.replaceAll("_", "");
  return (
    REAL.test(text) && (/^[+-]?\d*\.?\d*e/i.test(digits) ? Number.isFinite(Number(digits)) : true)
  );
}

function unsigned(bits: number): ValueForm {
  return {
    accepts: (text) => {
      const value = /^[+-]/.test(text) ? undefined : parseWhole(text);
      return value !== undefined && value < 2n ** BigInt(bits);
    },
    description: "a whole number that isn't negative",
  };
}

function parseWhole(text: string): bigint | undefined {
  const [, sign, digits] = WHOLE.exec(text) ?? [];
  if (digits === undefined) {
    return undefined;
  }
  const plain = digits.replaceAll("_", "").replace(/^0[oO]?(?=\d)/, "0o");
  const value = BigInt(plain);
  return sign === "-" ? -value : value;
}
