import { parse } from "yaml";
import type { ServiceStatus, TalosClient } from "../api/talosClient";
import type { Machine } from "./machine";
import { unlessSilent } from "./unlessSilent";
import { withMachine } from "./withMachine";

/** What machines know of each other. Source: Talos v1.12.1, `cluster` resources. */
const MEMBERS = { namespace: "cluster", type: "Members.cluster.talos.dev" };

/** A machine that is off must not hold up the others for long. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The address of another control plane machine of the same cluster whose etcd runs, asked over mutual
 * TLS; undefined when none says so. Machines that don't answer are passed over: right after their
 * first configuration most don't.
 *
 * @param client of the machine that is to be bootstrapped
 * @param peers addresses to ask directly; what the machine itself has discovered is asked through it
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

/** An address of each control plane machine that the machine knows of, itself included. */
async function discoveredPeers(
  client: TalosClient,
  call: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<string[]> {
  const members = (await unlessSilent(client.listResources(MEMBERS, call))) ?? [];
  return members.flatMap(({ spec }) => {
    const { machineType, addresses = [] } = parse(spec) as Partial<Member>;
    return machineType === "controlplane" ? addresses.slice(0, 1) : [];
  });
}

interface Member {
  readonly machineType: string;
  readonly addresses: readonly string[];
}

function isEtcdRunning(services: readonly ServiceStatus[] | undefined): boolean {
  return services?.some(({ id, state }) => id === "etcd" && state === "Running") ?? false;
}
