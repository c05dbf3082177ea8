import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";

/** What is wrong with a text as a DNS name; undefined without a problem. */
export function dnsNameProblem(name: string): string | undefined {
  const wrong = name.split(".").find((label) => dnsLabelProblem(label) !== undefined);
  if (wrong !== undefined) {
    return `"${name}" is no domain name: its part "${wrong}" must be 1 to 63 lower-case letters, digits and dashes between them`;
  }
  if (!name.includes(".")) {
    return `"${name}" is no domain name: write it in full, as in "example.com"`;
  }
  return name.length > 253 ? `"${name}" is longer than the 253 characters of DNS` : undefined;
}

/** What is wrong with a text as one part of a DNS name; undefined without a problem. */
export function dnsLabelProblem(label: string): string | undefined {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
    ? undefined
    : `"${label}" can't be a part of a domain name: allowed are 1 to 63 lower-case letters, digits and dashes between them`;
}

/** All problems of a record's place; see `DnsRecordArgs`. */
export function checkDnsRecord(choices: {
  readonly recordName: string;
  readonly zoneName: string;
  readonly adoptsById: boolean;
  readonly createZone: boolean;
}): PropertyProblem[] {
  const { recordName, zoneName, adoptsById, createZone } = choices;
  const names = [
    ...problemAt("recordName", dnsNameProblem(recordName)),
    ...problemAt("zoneName", dnsNameProblem(zoneName)),
  ];
  const isOutside = names.length === 0 && !`.${recordName}`.endsWith(`.${zoneName}`);
  return [
    ...names,
    ...problemAt(
      "zoneName",
      isOutside &&
        `the zone "${zoneName}" can't hold "${recordName}": take a zone whose name that one ends in`,
    ),
    ...problemAt(
      "createZone",
      adoptsById &&
        createZone &&
        `zoneId and createZone are mutually exclusive: write into a zone that is there, or make one`,
    ),
  ];
}
