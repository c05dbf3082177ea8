import { type InputProblem, inputProblems } from "../configError";
import type { Path } from "../path";
import type { Gapped } from "./mapping";

/**
 * Selects the network interface that matches all members; `*` is a wildcard. Exactly one interface
 * must match.
 */
export interface InterfaceSelector {
  /** Its permanent hardware address, `06:5a:3f:*`. */
  readonly macAddress?: string | undefined;
  /** Its place on the bus, `0000:00:05.0`. */
  readonly busPath?: string | undefined;
  /** Vendor and device, `1D0F:EC20`. */
  readonly pciId?: string | undefined;
  /** The kernel's driver for it, `ena`. */
  readonly driver?: string | undefined;
}

/** The CEL field of each member. Source: LinkStatusSpec in network.proto, Talos v1.12.1. */
const fields = {
  macAddress: "mac(link.permanent_addr)",
  busPath: "link.bus_path",
  pciId: "link.pciid",
  driver: "link.driver",
} as const satisfies Record<keyof InterfaceSelector, string>;

const members = Object.keys(fields) as (keyof InterfaceSelector)[];

/** All problems of a selector. */
export function checkSelector(path: Path, selector: InterfaceSelector | undefined): InputProblem[] {
  if (selector === undefined) {
    return [];
  }
  if (members.every((member) => selector[member] === undefined)) {
    return inputProblems(path, `selects nothing: set at least one of ${members.join(", ")}`);
  }
  return members.flatMap((member) =>
    inputProblems([...path, member], checkPattern(member, selector[member])),
  );
}

/** The selector as a CEL expression over a link. */
export function selectorExpression(selector: InterfaceSelector): string {
  const wanted = { ...selector, macAddress: canonicalAddress(selector) };
  return members
    .flatMap((member) => {
      const pattern = wanted[member];
      return pattern === undefined ? [] : [condition(fields[member], pattern)];
    })
    .join(" && ");
}

/** The selector as `deviceSelector` of `machine.network.interfaces`. */
export function deviceSelector(selector: InterfaceSelector): Gapped {
  return {
    permanentAddr: canonicalAddress(selector),
    busPath: selector.busPath,
    pciID: selector.pciId,
    driver: selector.driver,
  };
}

/** Talos compares text, and writes addresses in lower case. */
function canonicalAddress({ macAddress }: InterfaceSelector): string | undefined {
  return macAddress?.toLowerCase();
}

function condition(field: string, pattern: string): string {
  const text = JSON.stringify(pattern);
  return pattern.includes("*") ? `glob(${text}, ${field})` : `${field} == ${text}`;
}

function checkPattern(member: keyof InterfaceSelector, pattern: string | undefined) {
  if (pattern === undefined) {
    return undefined;
  }
  const isAddress = /^[0-9a-f:*]+$/i.test(pattern);
  if (member === "macAddress" && !isAddress) {
    return `${JSON.stringify(pattern)} is not a hardware address, like "06:5a:3f:12:34:56" or "06:5a:3f:*"`;
  }
  return /^[\w:.*-]+$/.test(pattern)
    ? undefined
    : `${JSON.stringify(pattern)} is not a pattern: letters, digits, ":", ".", "-", "_" and "*"`;
}
