import type { VersionContract } from "../releases/versionContract";

/**
 * The names of the Kubernetes API's certificate that come from the endpoint. Talos itself adds it to the
 * certificate, whatever is written.
 *
 * @param input with a checked endpoint
 */
export function endpointSans(
  { endpoint }: { readonly endpoint: string },
  { endpointInCertSans }: VersionContract,
): readonly string[] {
  return endpointInCertSans ? [hostOf(endpoint)] : [];
}

/** The host of an endpoint, as it was written; an IPv6 address without brackets. */
function hostOf(endpoint: string): string {
  const [, address, name = ""] = /^https:\/\/(?:\[([^\]]*)\]|([^:/]*))/i.exec(endpoint) ?? [];
  return address ?? name;
}
