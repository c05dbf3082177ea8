import { isIPv4, isIPv6 } from "node:net";

/** The port of the Talos API, in maintenance mode and after (Talos v1.12.1, constants.ApidPort). */
const TALOS_API_PORT = 50000;

/** The address of a Talos API. */
export interface Endpoint {
  /** Name or address without port and brackets. The server's certificate must name it. */
  readonly host: string;
  /** Another name or address of the same server, which its certificate may contain instead. */
  readonly otherName?: string;
  readonly port: number;
  /** `host:port`, with brackets around an IPv6 address, for messages. */
  readonly address: string;
  /** The same as a gRPC target, according to gRPC's naming document (`ipv4:`, `ipv6:`, `dns:`). */
  readonly target: string;
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?$/;

/**
 * Reads `host`, `host:port`, `[ipv6]:port` or a bare IPv6 address; the port is 50000 unless given.
 *
 * Raises an `Error` that quotes the text and names the allowed forms.
 */
export function parseEndpoint(text: string): Endpoint {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(text);
  const plain = /^([^:]+)(?::(\d+))?$/.exec(text);
  const host = bracketed?.[1] ?? plain?.[1] ?? text;
  const port = Number(bracketed?.[2] ?? plain?.[2] ?? TALOS_API_PORT);
  const isAllowed = bracketed || isIPv6(text) ? isIPv6(host) : isIPv4(host) || isHostName(host);
  if (text === "") {
    throw new Error(
      `the Talos endpoint "" cannot be dialled: give a host name or an IP address. A machine that is stopped has no public one: start it, then run the command again with --refresh`,
    );
  }
  if (!isAllowed || port < 1 || port > 65535) {
    throw new Error(
      `the Talos endpoint "${text}" cannot be dialled: give a host name or an IP address, with ":port" if it is not ${TALOS_API_PORT}, and without a scheme or path`,
    );
  }
  if (isIPv6(host)) {
    const address = `[${host}]:${port}`;
    return { host, port, address, target: `ipv6:${address}` };
  }
  const address = `${host}:${port}`;
  return { host, port, address, target: `${isIPv4(host) ? "ipv4" : "dns"}:${address}` };
}

/**
 * Checks the name or address of a node that an endpoint forwards to. Apid v1.12 answers `INTERNAL
 * "invalid target"` to one with a port. Raises an `Error` that says what is allowed.
 */
export function parseNode(text: string): string {
  if (!isIPv4(text) && !isIPv6(text) && !isHostName(text)) {
    throw new Error(
      `"${text}" is not the name of a Talos node: give its host name or IP address alone, without port and brackets`,
    );
  }
  return text;
}

function isHostName(text: string): boolean {
  const looksLikeAddress = /^[\d.]+$/.test(text);
  return HOST_NAME.test(text) && !looksLikeAddress && text.length <= 253;
}
