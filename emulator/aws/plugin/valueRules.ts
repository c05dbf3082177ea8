import { isIPv4 } from "node:net";
import { isNetworkRange, prefixLength, type RangeFamily } from "./networkRange";

/**
 * How the AWS provider judges one value. Source of all that the tables say: terraform-provider-aws,
 * the `ValidateFunc` of each property in `internal/service/…`; the values of enumerations are those of AWS' SDK.
 */
export interface ValueRule {
  /** What the value must be: `one of "a", "b"`. */
  readonly expected: string;
  readonly holds: (value: string | number) => boolean;
  /** The value may be a secret, so no error quotes it. Default: false. */
  readonly hides?: boolean;
}

/** A number from `least` to `most`, or without an upper end. */
export function between(least: number, most = Infinity): ValueRule {
  return {
    expected: most === Infinity ? `at least (${least})` : `in the range (${least} - ${most})`,
    holds: (value) => Number(value) >= least && Number(value) <= most,
  };
}

/** One of the values of an enumeration. */
export function oneOf(...values: readonly (string | number)[]): ValueRule {
  return {
    expected: `one of ${values.map((each) => JSON.stringify(each)).join(", ")}`,
    holds: (value) => values.includes(value),
  };
}

/** A member of an enumeration of AWS' SDK. */
export function memberOf(enumeration: Readonly<Record<string, string>>): ValueRule {
  return oneOf(...Object.values(enumeration));
}

/** A text of `least` to `most` characters, optionally of a form. */
export function text(
  least: number,
  most: number,
  form?: { readonly matches: RegExp; readonly expected: string },
): ValueRule {
  return {
    expected: `a text of ${least} to ${most} characters${form === undefined ? "" : ` ${form.expected}`}`,
    holds: (value) =>
      String(value).length >= least &&
      String(value).length <= most &&
      form?.matches.test(String(value)) !== false,
  };
}

/** The range of a network, written with its first address. */
export function networkRange(family: RangeFamily, least = 0, most = 128): ValueRule {
  const size = least === 0 && most === 128 ? "" : `, of a length from /${least} to /${most}`;
  return {
    expected: `a range of ${family} addresses, such as ${family === "ipv6" ? "2001:db8::/64" : "10.0.0.0/24"}${size}`,
    holds: (value) => {
      const range = String(value);
      const length = prefixLength(range);
      return isNetworkRange(family, range) && length >= least && length <= most;
    },
  };
}

/** An Amazon Resource Name, or nothing. Source: `internal/verify/validate.go`, `ValidARN`. */
export const arn: ValueRule = {
  expected: "an ARN, such as arn:aws:iam::123456789012:role/name",
  holds: (value) =>
    value === "" ||
    /^arn:aws(-[a-z]+)*:[^:]+:([a-z]{2}(-[a-z]+)+-\d{1,2})?:(aws|aws-managed|third-party|\d{12}|cw.{10})?:.+$/.test(
      String(value),
    ),
};

/** A JSON document. */
export const json: ValueRule = {
  expected: "a JSON document",
  holds: (value) => parsed(String(value)) !== undefined,
};

/** A policy of IAM: an object in JSON, without space before it. */
export const policy: ValueRule = {
  expected: "a JSON object that begins with {",
  holds: (value) => String(value).startsWith("{") && parsed(String(value)) !== undefined,
};

/** An optional boolean of the provider, which is a text. */
export const booleanText = oneOf("", "0", "1", "true", "false");

/** An address of IPv4. */
export const ipv4Address: ValueRule = {
  expected: "an IPv4 address",
  holds: (value) => isIPv4(String(value)),
};

/** A duration in Go's form: `10m`, `1h30m`, `0`. */
export const duration: ValueRule = {
  expected: 'a duration, such as "10m"',
  holds: (value) => /^(0|(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+)$/.test(String(value)),
};

/** A text that is no empty one. */
export const given: ValueRule = {
  expected: "a text that isn't empty",
  holds: (value) => value !== "",
};

/** Data in Base64. It may be a machine's configuration. */
export const base64: ValueRule = {
  expected: "Base64",
  hides: true,
  holds: (value) =>
    /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(String(value)),
};

/** A name in IAM, up to a length. Source: `internal/service/iam/validate.go`, `validResourceName`. */
export function iamName(most: number): ValueRule {
  return text(1, most, { matches: /^[\w+=,.@-]*$/, expected: "of letters, digits and _+=,.@-" });
}

/** The name of a launch template, up to a length. Source: `internal/verify/validate.go`. */
export function launchTemplateName(most: number): ValueRule {
  return text(3, most, {
    matches: /^[0-9A-Za-z()./_-]+$/,
    expected: "of letters, digits and ()./_-",
  });
}

/** The name of a load balancer or target group. Source: `internal/service/elbv2/validate.go`. */
export const loadBalancingName = text(1, 32, {
  matches: /^(?!-|internal-)[0-9A-Za-z-]+(?<!-)$/,
  expected:
    'of letters, digits and hyphens, with no hyphen or "internal-" at its start, and no hyphen at its end',
});

/** The start of a load balancing name, up to a length. */
export function loadBalancingPrefix(most: number): ValueRule {
  return text(1, most, {
    matches: /^(?!-|internal-)[0-9A-Za-z-]+$/,
    expected: 'of letters, digits and hyphens, with no hyphen or "internal-" at its start',
  });
}

/** Characters that the provider adds to a prefix. Source: Terraform's SDK, `UniqueIDSuffixLength`. */
export const SUFFIX_LENGTH = 26;

/** What is wrong with a value, undefined if nothing is. */
export function judge(rule: ValueRule, value: string | number, path: string): string | undefined {
  if (rule.holds(value)) {
    return undefined;
  }
  const told =
    rule.hides === true || String(value).length > 200 ? "" : `, got ${JSON.stringify(value)}`;
  return `expected ${path} to be ${rule.expected}${told}`;
}

function parsed(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}
