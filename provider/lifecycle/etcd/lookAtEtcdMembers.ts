import type { CallOptions, ServiceStatus, TalosClient } from "../../api/talosClient";
import { peerAddresses, servicesOn } from "./etcdPeers";

/** A member that is off must not delay the check of the others. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The problems of etcd on a control plane machine, and of every other member that this machine
 * checks. If it is empty, any one of them may be stopped.
 *
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function lookAtEtcdMembers(
  client: TalosClient,
  signal: AbortSignal,
): Promise<string[]> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  const own = etcdOf(await client.services(call));
  if (!isHealthy(own)) {
    return [`etcd is ${own?.state ?? "absent"}`];
  }
  const members = await client.etcdMembers(call);
  const learners = members.filter(({ isLearner }) => isLearner);
  const addresses = members.flatMap((member) => peerAddresses(member).slice(0, 1));
  const answers = await Promise.all(
    addresses.map((address) => lookAtMember(client, address, call)),
  );
  return [
    ...learners.map(({ hostname }) => `${hostname} doesn't vote in etcd yet`),
    ...answers.flat(),
  ];
}

async function lookAtMember(
  client: TalosClient,
  address: string,
  call: CallOptions,
): Promise<readonly string[]> {
  const services = await servicesOn(client, address, call);
  if (services === undefined) {
    return [`the etcd member ${address} doesn't answer`];
  }
  const etcd = etcdOf(services);
  return isHealthy(etcd) ? [] : [`etcd on ${address} is ${etcd?.state ?? "absent"}, not healthy`];
}

/**
 * What speaks against a restart of a machine. A restart takes a healthy member from etcd, so on a control
 * plane machine every other member must be healthy. A machine whose own etcd isn't healthy may restart.
 *
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function lookBeforeRestart(
  client: TalosClient,
  signal: AbortSignal,
): Promise<string[]> {
  const own = etcdOf(await client.services({ signal, timeoutMs: LOOK_TIMEOUT_MS }));
  return isHealthy(own) ? lookAtEtcdMembers(client, signal) : [];
}

function etcdOf(services: readonly ServiceStatus[]): ServiceStatus | undefined {
  return services.find(({ id }) => id === "etcd");
}

function isHealthy(etcd: ServiceStatus | undefined): boolean {
  return etcd?.state === "Running" && etcd.healthy;
}
