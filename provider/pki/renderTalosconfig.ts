import { stringify } from "yaml";
import type { ClientCredentials } from "./clientCredentials";

/**
 * The text of a talosconfig with one context, which is the current one. Secret: it holds the key.
 *
 * Written as `talosctl` v1.12.1 writes it: indented by four, `endpoints` even if there are none,
 * `nodes` only if there are some, names that YAML 1.1 would not read as strings in quotes.
 */
export function renderTalosconfig(input: {
  /** Names the context. */
  clusterName: string;
  /** Where `talosctl` connects to: control planes, each `host` or `host:port`. */
  endpoints: readonly string[];
  /** Which machines commands are for unless told otherwise. */
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
