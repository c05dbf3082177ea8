import { TalosClient } from "../api/talosClient";
import type { ClientCredentials } from "../pki/clientCredentials";

/** A machine as the Talos API reaches it. */
export interface Machine {
  /** Its address. */
  readonly node: string;
  /** The Talos API to dial. It forwards to `node` if it is another machine's. */
  readonly endpoint: string;
  /** Its address inside its network, which its certificate may name. Default: `node`. */
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
}

/** A control plane machine with an etcd member. */
export interface EtcdMachine extends Machine {
  /** Its EC2 instance id. Another instance at its address is another machine. */
  readonly machineId: string;
  /** Its address for the other members of etcd. Default: `node`. */
  readonly privateAddress?: string;
}

/** The machines at some addresses, which are dialled through an endpoint, or else directly. */
export function machinesAt(
  nodes: readonly string[],
  endpoint: string | undefined,
  credentials: ClientCredentials,
): Machine[] {
  return nodes.map((node) => ({ node, endpoint: endpoint ?? node, credentials }));
}

/** Asks a machine over mutual TLS, and closes the client. */
export async function withMachine<Result>(
  machine: Machine,
  work: (client: TalosClient) => Promise<Result>,
): Promise<Result> {
  const client = TalosClient.connect(machine);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
