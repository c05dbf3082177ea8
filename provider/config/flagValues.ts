import { parseDuration } from "./duration";
import { isAddress } from "./formats";

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

const REAL = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX].+|inf|infinity|nan)$/i;

const SIGNED = "a whole number";

const forms: Readonly<Record<string, ValueForm>> = {
  bool: { accepts: isTruth, description: '"true" or "false"' },
  duration: {
    accepts: (text) => parseDuration(text) !== undefined,
    description: "a duration with units, like 1h30m or 10s",
  },
  // klog's `--v`.
  Level: { accepts: (text) => /^[+-]?\d+$/.test(text), description: SIGNED },
  int: whole(64),
  int32: whole(32),
  int64: whole(64),
  uint: unsigned(64),
  uint32: unsigned(32),
  uint64: unsigned(64),
  float32: { accepts: (text) => REAL.test(text), description: "a number" },
  float64: { accepts: (text) => REAL.test(text), description: "a number" },
  ip: { accepts: (text) => isAddress(text.trim()), description: "an IP address" },
};

/**
 * What a flag's value has to be; undefined if it fits, or if any text may be right for the type. An
 * empty text counts as fitting: what it means is the program's matter.
 *
 * Sources: github.com/spf13/pflag v1.0.10, `{bool,int,int32,int64,uint,float32,duration,ip}.go`; klog
 * v2.130.1, `Level.Set`; Go's package flag, which etcd uses, reads these types in the same way.
 *
 * @param type as the flag library names it
 */
export function valueProblem(type: string, text: string): string | undefined {
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  return form === undefined || text === "" || form.accepts(text) ? undefined : form.description;
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
  const limit = 2n ** BigInt(bits - 1);
  return {
    accepts: (text) => {
      const value = parseWhole(text);
      return value !== undefined && value >= -limit && value < limit;
    },
    description: bits === 64 ? SIGNED : `a whole number of ${bits} bits, at most ${limit - 1n}`,
  };
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
