import type { MachineFacts } from "../config/machineFacts";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import type { Peer } from "./nodeState";
import { trustdPort } from "./ports";

/** What a machine knows of its cluster's control planes. */
interface KnownControlPlanes {
  readonly facts: Pick<MachineFacts, "endpoint">;
  /** Machines that the discovery service knows. */
  readonly peers: readonly Peer[];
  /** Nodes that the Kubernetes API knows. */
  readonly nodes: readonly NodeRecord[];
  /** Resolves a host name or an address in the machine's network. */
  readonly addressesOf: (name: string) => Promise<readonly string[]>;
}

/**
 * The addresses (host:port) of the trustd servers that a worker may ask: of the control planes that
 * discovery or else the Kubernetes API knows. Without any, of the cluster's endpoint.
 */
export async function trustdEndpoints({
  facts: { endpoint },
  peers,
  nodes,
  addressesOf,
}: KnownControlPlanes): Promise<string[]> {
  const discovered = peers
    .filter(({ machineType }) => machineType === "controlplane")
    .map(({ privateAddress }) => privateAddress);
  const registered = nodes
    .filter(({ isControlPlane }) => isControlPlane)
    .map(({ internalAddress }) => internalAddress);
  const known = discovered.length > 0 ? discovered : registered;
  const targets =
    known.length === 0 && URL.canParse(endpoint) ? [new URL(endpoint).hostname] : known;
  const addresses = await Promise.all(targets.map((target) => addressesOf(target)));
  return [...new Set(addresses.flat())].map((address) => `${address}:${trustdPort}`);
}
