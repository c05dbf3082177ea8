import { isInMinors } from "../flags/componentTable";
import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { parseDuration } from "../schema/duration";
import { goPath } from "./fieldErrors";
import { fieldsOf } from "./fileTypes";

/** What a decoder can't take; `owner` is the type of the mapping that it is in. */
export type DecodeError = { readonly path: Path; readonly owner: string } & (
  | {
      /** A field that the type doesn't have in the minor: the last step of the path. */
      readonly kind: "unknown";
    }
  | {
      /** A value of another type than it has to have, as in the table. */
      readonly kind: "type";
      readonly type: string;
      readonly value: YamlValue;
    }
);

/**
 * What a decoder of a Kubernetes minor says about a value, all at once. Names are read exactly; a null
 * counts as absent. Source: sigs.k8s.io/json, `UnmarshalStrict`, as in k8s.io/apimachinery v0.28 to v0.37.
 *
 * @param type as in the table: `audit/v1.Policy`
 */
export function decodeErrors(
  value: YamlValue,
  type: string,
  minor: number,
  path: Path = [],
  owner: string = type,
): DecodeError[] {
  if (value === null || type === "any") {
    return [];
  }
  const item = /^(map)?\[\](.+)$/.exec(type);
  const fields = fieldsOf(type);
  const wrong: DecodeError = { kind: "type", path, owner, type, value };
  if (item !== null) {
    const [, map, inner = ""] = item;
    const fits = map === undefined ? Array.isArray(value) : isMapping(value);
    return fits
      ? Object.entries(value as object).flatMap(([key, each]: [string, YamlValue]) =>
          decodeErrors(each, inner, minor, [...path, map === undefined ? Number(key) : key], owner),
        )
      : [wrong];
  }
  if (fields === undefined) {
    return fitsScalar(value, type) ? [] : [wrong];
  }
  if (!isMapping(value)) {
    return [wrong];
  }
  return Object.entries(value).flatMap(([key, each]): DecodeError[] => {
    const entry = fields.get(key);
    return entry === undefined || !isInMinors(entry, minor)
      ? [{ kind: "unknown", path: [...path, key], owner: type }]
      : decodeErrors(each, entry.type, minor, [...path, key], type);
  });
}

function fitsScalar(value: YamlValue, type: string): boolean {
  switch (type) {
    case "bool":
      return typeof value === "boolean";
    case "int32":
      return Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31 - 1;
    case "int64":
      return Number.isInteger(value);
    case "float32":
    case "float64":
      return typeof value === "number";
    case "duration":
      return typeof value === "string" && parseDuration(value) !== undefined;
    case "time":
      return typeof value === "string" && !Number.isNaN(Date.parse(value));
    default:
      return typeof value === "string";
  }
}

/** What Kubernetes prints for an error. */
export function wordsOfDecoding(error: DecodeError): string {
  if (error.kind === "unknown") {
    return `unknown field ${JSON.stringify(goPath(error.path))}`;
  }
  const { path, owner, type, value } = error;
  if (type === "duration" && typeof value === "string") {
    const unitless = /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(value);
    return `time: ${unitless ? "missing unit in" : "invalid"} duration ${JSON.stringify(value)}`;
  }
  const names = path.filter((step) => typeof step === "string").join(".");
  const isWhole = type.startsWith("int") && typeof value === "number";
  return `json: cannot unmarshal ${jsonKind(value)}${isWhole ? ` ${value}` : ""} into Go struct field ${nameOf(owner)}.${names} of type ${goType(type)}`;
}

function jsonKind(value: YamlValue): string {
  if (Array.isArray(value)) {
    return "array";
  }
  return isMapping(value) ? "object" : typeof value === "boolean" ? "bool" : typeof value;
}

function goType(type: string): string {
  const [, prefix = "", inner = ""] = /^((?:map)?\[\])?(.*)$/.exec(type) ?? [];
  const last = inner.split("/").at(-1) ?? "";
  const plain = inner === "duration" || inner === "time" ? "string" : last;
  return `${prefix === "map[]" ? "map[string]" : prefix}${plain}`;
}

function nameOf(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}
