import { inputProblems } from "../configError";
import type { Generator } from "./generator";
import { configDocument } from "./mapping";

/** The name of a machine. */
export interface HostnameOptions {
  /**
   * The host name, for the configuration of a single machine. Default: derived from the machine's
   * identity.
   */
  readonly hostname?: string | undefined;
}

/**
 * The host name of one machine: `HostnameConfig`, or `machine.network.hostname` in older contracts.
 * Without one, Talos derives a stable name from the machine's identity.
 */
export const hostname: Generator<HostnameOptions> = {
  check: ({ hostname: name }) =>
    inputProblems(["hostname"], name === undefined ? undefined : checkHostname(name)),

  generate({ hostname: name }, { networkDocuments }) {
    if (networkDocuments) {
      const how = name === undefined ? { auto: "stable" } : { hostname: name };
      return { documents: [configDocument("HostnameConfig", how)] };
    }
    return name === undefined ? {} : { config: { machine: { network: { hostname: name } } } };
  },
};

/** Kubernetes names the node after it, and allows fewer names than Talos. Source: RFC 1123. */
function checkHostname(name: string): string | undefined {
  return name.length <= 253 &&
    name.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
    ? undefined
    : `${JSON.stringify(name)} is not a name for a machine: lower-case letters, digits and "-", up to 63 between dots, 253 in all`;
}
