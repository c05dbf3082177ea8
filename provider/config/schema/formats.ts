import { isIP } from "node:net";
import { Address6 } from "ip-address";
import { formatByteSize, parseByteSize } from "./byteSize";
import { checkCel } from "./celSyntax";
import { formatDuration, parseDuration } from "./duration";

/** The form of a kind of text. */
export interface Format {
  /** Whether a text has the form. Called for empty texts only with `refusesEmpty`. */
  readonly accepts: (text: string) => boolean;
  /** Whether an empty text is invalid. Default: it means "not set". */
  readonly refusesEmpty?: boolean;
  /** Describes the form in messages: "an IP address, like 10.0.0.1". */
  readonly description: string;
  /** The exact problem of a text, if it is known. */
  readonly explain?: (text: string) => string | undefined;
  /** A valid text in Talos' own notation. Default: unchanged. */
  readonly canonical?: (text: string) => string | number;
}

/**
 * The forms of texts in machine configurations, by their names in the schema. Each accepts what
 * Talos v1.10 to v1.13 can read.
 */
export const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries<Format>({
    base64: {
      accepts: isBase64,
      description: "base64",
      canonical: (text) => text.replace(/[\r\n]/g, ""),
    },
    url: {
      accepts: isUrl,
      description: "a URL with a scheme, like https://example.com:6443",
      canonical: (text) => text.replace(/^[^:]*/, (scheme) => scheme.toLowerCase()),
    },
    ip: {
      accepts: isAddress,
      description: "an IP address, like 10.0.0.1",
      canonical: canonicalAddress,
    },
    cidr: {
      accepts: isCidr,
      description: "a network in CIDR notation, like 10.0.0.0/8",
      canonical: (text) => text.replace(/^[^/]*/, canonicalAddress),
    },
    ipPort: {
      accepts: isAddressAndPort,
      description: "an IP address and a port, like 10.0.0.1:51820 or [fd00::1]:51820",
      canonical: (text) => text.replace(/(?<=^\[)[^\]]*/, canonicalAddress),
    },
    hardwareAddress: {
      accepts: isHexBytes,
      description: "bytes in hex with colons, like 02:00:5e:10:00:01",
      canonical: (text) =>
        text
          .replaceAll(":", "")
          .toLowerCase()
          .replace(/..(?!$)/g, "$&:"),
    },
    duration: {
      accepts: isDuration,
      refusesEmpty: true,
      description: "a duration with units, like 1h30m or 10s",
      canonical: (text) => formatDuration(parseDuration(text) ?? 0n),
    },
    diskSize: {
      accepts: isSize,
      refusesEmpty: true,
      description: "a number of bytes, plain or with a unit, like 10GB",
      canonical: canonicalDiskSize,
    },
    size: {
      accepts: (text) => isSize(withoutSign(text)),
      description: "a number of bytes, plain or with a unit, like 10GiB",
    },
    sizeOrPercentage: {
      accepts: (text) => isSize(withoutSign(text)) || isPercentage(withoutSign(text)),
      description: "a number of bytes like 10GiB, or a percentage like 80%",
    },
    sizeCondition: {
      accepts: isSizeCondition,
      description: "a size to compare with, like >= 100GB",
    },
    portRange: {
      accepts: isPortRange,
      description: "a port, as a number and not a text, or a range of ports like 30000-32767",
      canonical: canonicalPortRange,
    },
    routingTable: {
      accepts: isRoutingTable,
      refusesEmpty: true,
      description: `a routing table: "main", "local", "default", or a number from 1 to 252`,
    },
    cel: {
      accepts: (text) => checkCel(text) === undefined,
      description: "a CEL expression",
      explain: checkCel,
    },
  }),
);

/** Whether a text is an IP address, version 4 or 6. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** Whether a text is an IP address and a prefix length. */
export function isCidr(text: string): boolean {
  const [address = "", length, ...more] = text.split("/");
  const version = isIP(address);
  return (
    version !== 0 &&
    more.length === 0 &&
    /^(?:0|[1-9]\d{0,2})$/.test(length ?? "") &&
    Number(length) <= (version === 4 ? 32 : 128)
  );
}

/** Whether a text is the URL of what a machine can fetch. */
export function isFetchable(url: string): boolean {
  return /^https?:\/\/[^/]/.test(url) && URL.canParse(url);
}

/** Whether a text is a port, or two ports with a dash between them in ascending order. */
function isPortRange(text: string): boolean {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  return first <= last && last <= 65535;
}

function canonicalPortRange(text: string): string | number {
  const [first, last = first] = text.split("-").map(Number);
  return first === last ? (first ?? text) : `${first}-${last}`;
}

/** Source: net/netip of Go, which writes IPv6 according to RFC 5952. */
function canonicalAddress(text: string): string {
  const [address = "", zone] = text.split("%");
  if (isIP(address) !== 6) {
    return text;
  }
  const parsed = new Address6(address);
  const mapped = parsed.isMapped4() ? `::ffff:${parsed.to4().correctForm()}` : undefined;
  return `${mapped ?? parsed.correctForm()}${zone === undefined ? "" : `%${zone}`}`;
}

/** Source: DiskSize in pkg/machinery/config/types/v1alpha1, Talos v1.10 to v1.13. */
function canonicalDiskSize(text: string): string | number {
  const bytes = parseByteSize(text) ?? NaN;
  if (bytes === 0) {
    return "";
  }
  const rounded = formatByteSize(bytes);
  const exact = bytes % 1000 === 0 && parseByteSize(rounded) === bytes;
  return exact ? rounded : Number.isSafeInteger(bytes) ? bytes : text;
}

/** Source: pkg/machinery/nethelpers/routingtable.go, Talos v1.13.9. */
function isRoutingTable(text: string): boolean {
  const isNumber = /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 252;
  return isNumber || ["unspec", "default", "main", "local"].includes(text);
}

function isBase64(text: string): boolean {
  const compact = text.replace(/[\r\n]/g, "");
  return compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact);
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(text);
}

function isAddressAndPort(text: string): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const [, six, four, port] = match ?? [];
  return (isIP(six ?? "") === 6 || isIP(four ?? "") === 4) && Number(port) <= 65535;
}

function isHexBytes(text: string): boolean {
  return /^(?::*[0-9a-f]:*[0-9a-f])+:*$/i.test(text);
}

function isDuration(text: string): boolean {
  return parseDuration(text) !== undefined;
}

function isSize(text: string): boolean {
  return parseByteSize(text) !== undefined;
}

/** A negative size is the space to leave free on a disk. The rules say where that is allowed. */
function withoutSign(text: string): string {
  return text.replace(/^-/, "");
}

function isPercentage(text: string): boolean {
  const match = /^(\d+(?:\.\d+)?)%$/.exec(text);
  return match !== null && Number(match[1]) <= 100;
}

function isSizeCondition(text: string): boolean {
  const match = /^\s*(?:>=|<=|==|>|<)?\s*(.*?)\s*$/.exec(text);
  return isSize(match?.[1] ?? "");
}
