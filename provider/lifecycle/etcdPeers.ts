import type { ServiceStatus, TalosClient } from "../api/talosClient";
import { discoveredPeers } from "./discoveredPeers";
import type { Machine } from "./machine";
import { unlessSilent } from "./unlessSilent";
import { withMachine } from "./withMachine";

/** A machine that is off must not delay the others for long. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The address of another control plane machine of the same cluster whose etcd runs, asked over
 * mutual TLS; undefined if none reports that. Machines that don't answer are skipped: right after
 * their first configuration, most don't.
 *
 * @param client of the machine that is to be bootstrapped
 * @param peers addresses to ask directly; the machines that the machine itself has discovered are
 *   asked through it
 */
export async function findRunningEtcd(
  client: TalosClient,
  machine: Machine,
  peers: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  const asked = peers
    .filter((peer) => peer !== machine.node)
    .map(async (peer): Promise<string | undefined> => {
      const { credentials } = machine;
      const services = await unlessSilent(
        withMachine({ node: peer, endpoint: peer, credentials }, (other) => other.services(call)),
      );
      return isEtcdRunning(services) ? peer : undefined;
    });
  const forwarded = discoveredPeers(client, call).then(async (discovered) => {
    const results =
      discovered.length === 0 ? [] : await unlessSilent(client.onNodes(discovered).services(call));
    return results?.find(({ value }) => isEtcdRunning(value))?.node;
  });
  const found = await Promise.all([...asked, forwarded]);
  return found.find((address) => address !== undefined);
}

function isEtcdRunning(services: readonly ServiceStatus[] | undefined): boolean {
  return services?.some(({ id, state }) => id === "etcd" && state === "Running") ?? false;
}
