import { stringify } from "yaml";
import type { ClientCredentials } from "./clientCredentials";

/**
 * The text of a talosconfig with one context, the current one. Secret: it contains the key.
 *
 * It has the form of `talosctl` v1.12.1: an indentation of four, `endpoints` even if it is empty,
 * `nodes` only if it isn't, and quotes around names that YAML 1.1 would not read as strings.
 */
export function renderTalosconfig(input: {
  /** Name of the context. */
  clusterName: string;
  /** The endpoints of `talosctl`: control planes, each `host` or `host:port`. */
  endpoints: readonly string[];
  /** The default machines of commands. */
  nodes: readonly string[];
  credentials: ClientCredentials;
}): string {
  const { clusterName, endpoints, nodes, credentials } = input;
  const context = {
    endpoints,
    ...(nodes.length > 0 ? { nodes } : {}),
    ca: credentials.ca,
    crt: credentials.crt,
    key: credentials.key,
  };
  return stringify(
    { context: clusterName, contexts: { [clusterName]: context } },
    { indent: 4, lineWidth: 0, version: "1.1", aliasDuplicateObjects: false },
  );
}
