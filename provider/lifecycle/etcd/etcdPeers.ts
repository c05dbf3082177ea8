import { parse } from "yaml";
import type { EtcdMember } from "../../api/etcdCalls";
import type { CallOptions, ServiceStatus, TalosClient } from "../../api/talosClient";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";

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
    const services = await Promise.all(discovered.map((node) => servicesOn(client, node, call)));
    return discovered.find((_, index) => isEtcdRunning(services[index]));
  });
  const found = await Promise.all([...asked, forwarded]);
  return found.find((address) => address !== undefined);
}

/**
 * The services of a machine, asked through another one; undefined if it doesn't answer. Each machine
 * needs a call of its own: a call for several fails as a whole if one of them is off (Talos v1.12.1).
 *
 * @param client of the machine that forwards
 */
export async function servicesOn(
  client: TalosClient,
  node: string,
  call: CallOptions,
): Promise<readonly ServiceStatus[] | undefined> {
  const [answer] = (await unlessSilent(client.onNodes([node]).services(call))) ?? [];
  return answer?.value;
}

function isEtcdRunning(services: readonly ServiceStatus[] | undefined): boolean {
  return services?.some(({ id, state }) => id === "etcd" && state === "Running") ?? false;
}

/** What machines know of each other. Source: Talos v1.12.1, `cluster` resources. */
const MEMBERS = { namespace: "cluster", type: "Members.cluster.talos.dev" };

/**
 * Addresses of the control plane machines that a machine has discovered, including itself. It
 * forwards calls to them. Empty while the machine doesn't answer, or has discovered no other
 * machine.
 */
export async function discoveredPeers(client: TalosClient, call: CallOptions): Promise<string[]> {
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

/** The addresses at which other members find a member of etcd; IPv6 addresses without brackets. */
export function peerAddresses({ peerUrls }: Pick<EtcdMember, "peerUrls">): string[] {
  // For example `https://10.0.0.4:2380`.
  return peerUrls.map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"));
}
