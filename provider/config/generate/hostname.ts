import { inputProblems } from "../configError";
import { hostnameProblem } from "../rules/valueRules";
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
 * Without one, Talos derives a stable name from the machine's identity; up to contract v1.1, from its
 * address, for which the document has no word.
 */
export const hostname: Generator<HostnameOptions> = {
  check: ({ hostname: name }) =>
    inputProblems(["hostname"], name === undefined ? undefined : hostnameProblem(name)),

  generate({ hostname: name }, { networkDocuments, stableHostname }) {
    if (networkDocuments && (name !== undefined || stableHostname)) {
      const how = name === undefined ? { auto: "stable" } : { hostname: name };
      return { documents: [configDocument("HostnameConfig", how)] };
    }
    return name === undefined ? {} : { config: { machine: { network: { hostname: name } } } };
  },
};
