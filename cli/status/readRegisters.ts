import { type CallOptions, type EtcdMember, TalosClient } from "../../provider/api";
import { type NamedMachine, readDiscovered } from "../../provider/lifecycle";
import type { ClusterAccess } from "./clusterAccess";

/** The machines that the first answering endpoint has discovered; empty if none answers. */
export async function readDiscoveredMachines(
  access: ClusterAccess,
  call: CallOptions,
): Promise<readonly NamedMachine[]> {
  return (await ofAnyEndpoint(access, (client) => readDiscovered(client, call))) ?? [];
}

/**
 * The members of etcd, as the first endpoint reports that has a majority; undefined if none does.
 */
export function readEtcdMembers(
  access: ClusterAccess,
  call: CallOptions,
): Promise<readonly EtcdMember[] | undefined> {
  return ofAnyEndpoint(access, (client) => client.etcdMembers(call));
}

async function ofAnyEndpoint<Value>(
  { endpoints, credentials }: ClusterAccess,
  ask: (client: TalosClient) => Promise<Value>,
): Promise<Value | undefined> {
  const asked = endpoints.map(async (endpoint) => {
    const client = TalosClient.connect({ endpoint, credentials });
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  });
  return Promise.any(asked).catch(() => undefined);
}
