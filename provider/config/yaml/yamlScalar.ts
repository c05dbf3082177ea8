/** The value of an unquoted YAML scalar, as Talos reads it. */
export type ResolvedScalar =
  | { readonly type: "null" }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "integer" | "float"; readonly value: number; readonly exact: boolean }
  | { readonly type: "timestamp" | "merge" | "text" };

const nulls = new Set(["", "~", "null", "Null", "NULL"]);
const trues = new Set(["true", "True", "TRUE"]);
const falses = new Set(["false", "False", "FALSE"]);
const oldTrues = new Set(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"]);
const oldFalses = new Set(["n", "N", "no", "No", "NO", "off", "Off", "OFF"]);
const specialFloats = new Map([
  ...[".nan", ".NaN", ".NAN"].map((text) => [text, NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((text) => [text, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((text) => [text, -Infinity] as const),
  ["-0", -0] as const,
  ["-0.0", -0] as const,
]);

/**
 * Resolves an unquoted scalar by the rules of go.yaml.in/yaml v4, which Talos v1.12 uses. They
 * differ from YAML 1.2: `0644` is octal, `1_000` a number, `2024-01-31` a timestamp.
 */
export function resolveScalar(text: string): ResolvedScalar {
  if (nulls.has(text)) {
    return { type: "null" };
  }
  if (trues.has(text) || falses.has(text)) {
    return { type: "boolean", value: trues.has(text) };
  }
  if (text === "<<") {
    return { type: "merge" };
  }
  const special = specialFloats.get(text);
  if (special !== undefined) {
    return { type: "float", value: special, exact: true };
  }
  if (!/^[-+.0-9]/.test(text)) {
    return { type: "text" };
  }
  return isTimestamp(text) ? { type: "timestamp" } : resolveNumber(text);
}

function resolveNumber(text: string): ResolvedScalar {
  if (text.startsWith(".")) {
    return /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/.test(text)
      ? { type: "float", value: Number(text), exact: true }
      : { type: "text" };
  }
  const plain = text.replaceAll("_", "");
  const integer = parseInteger(plain);
  if (integer !== undefined) {
    const value = Number(integer);
    return { type: "integer", value, exact: Number.isSafeInteger(value) };
  }
  return /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)
    ? { type: "float", value: Number(plain), exact: true }
    : { type: "text" };
}

/** A 64-bit integer, signed or not, in any of Go's notations; undefined for other texts. */
function parseInteger(text: string): bigint | undefined {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(
    text,
  );
  if (match === null) {
    return undefined;
  }
  const [, sign, hex, binary, octal, decimal] = match;
  const digits =
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : decimal;
  const value = BigInt(digits ?? "0") * (sign === "-" ? -1n : 1n);
  return value >= -(2n ** 63n) && value < 2n ** 64n ? value : undefined;
}

/** The value of a YAML 1.1 boolean word (`yes`, `off`); undefined for others. */
export function oldBoolean(text: string): boolean | undefined {
  return oldTrues.has(text) ? true : oldFalses.has(text) ? false : undefined;
}

/**
 * Whether an unquoted text is read back as the same text, also by a YAML 1.1 reader. Special
 * characters are checked elsewhere.
 */
export function readsAsText(text: string): boolean {
  return resolveScalar(text).type === "text" && !isOnlyOldValue(text);
}

/** A number to the base 60, in YAML 1.1. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether an unquoted text is no text to YAML 1.1 (`yes`, `15:00`), or means a merge. */
export function isOnlyOldValue(text: string): boolean {
  return oldBoolean(text) !== undefined || BASE_60.test(text) || text === "<<";
}

const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})|\s(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) {
    return false;
  }
  const [year = 0, month = 0, day = 0, ...times] = match
    .slice(1)
    .map((part) => Number(part || "0"));
  const [hour = 0, minute = 0, second = 0] = text.includes(" ") ? times.slice(3) : times;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= lastDay &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  );
}

/** A number in Talos' notation. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) {
    return ".nan";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? ".inf" : "-.inf";
  }
  if (Object.is(value, -0)) {
    return "-0";
  }
  if (Number.isSafeInteger(value)) {
    return String(value);
  }
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  // The limits at which Go's strconv.FormatFloat(value, 'g', -1, 64) changes to an exponent.
  if (power < -4 || power >= 6) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  return String(value);
}
