import type { ServiceStatus, TalosClient } from "../api/talosClient";
import { waitFor } from "../api/waitFor";
import type { Progress } from "../progress";
import type { Machine } from "./machine";
import { withMachine } from "./withMachine";

/** A member that is off must not hold up the look at the others. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Waits until a control plane machine's etcd is healthy, and so is every other member, as that machine
 * reaches them: then any one of them may be stopped.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws TalosApiError when the machine refuses to tell
 * @throws WaitTimeoutError at the deadline, naming the members that are not well
 */
export function awaitEtcd(
  machine: Machine,
  deadline: number,
  { report }: Progress,
): Promise<undefined> {
  return waitFor<undefined>({
    what: `etcd to be healthy on ${machine.node} and all its other members`,
    deadlineMs: Math.max(0, deadline - Date.now()),
    report,
    probe: ({ signal }) =>
      withMachine(machine, async (client) => {
        const problems = await lookAtMembers(client, signal);
        return problems.length === 0
          ? { done: true, value: undefined }
          : { done: false, seen: problems.join("; ") };
      }),
  });
}

async function lookAtMembers(client: TalosClient, signal: AbortSignal): Promise<string[]> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  const own = etcdOf(await client.services(call));
  if (!isWell(own)) {
    return [`etcd is ${own?.state ?? "absent"}`];
  }
  const members = await client.etcdMembers(call);
  const learners = members.filter(({ isLearner }) => isLearner);
  const addresses = members.flatMap(({ peerUrls }) => peerUrls.slice(0, 1).map(hostOf));
  const answers = await client.onNodes(addresses).services(call);
  return [
    ...learners.map(({ hostname }) => `${hostname} doesn't vote in etcd yet`),
    ...answers.flatMap(({ node, value, error }) => {
      const etcd = etcdOf(value ?? []);
      if (error !== undefined) {
        return [`${node} doesn't answer`];
      }
      return isWell(etcd) ? [] : [`etcd on ${node} is ${etcd?.state ?? "absent"}, not healthy`];
    }),
  ];
}

function etcdOf(services: readonly ServiceStatus[]): ServiceStatus | undefined {
  return services.find(({ id }) => id === "etcd");
}

function isWell(etcd: ServiceStatus | undefined): boolean {
  return etcd?.state === "Running" && etcd.healthy;
}

/** Of a peer URL, `https://10.0.0.4:2380`; without the brackets of an IPv6 address. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}
