import { parse } from "yaml";
import type { ClientCredentials } from "../provider";
import { TalosClient } from "../provider/api/talosClient";
import { waitFor } from "../provider/api/waitFor";

/** The parts of a talosconfig that this project reads. */
interface Talosconfig {
  context: string;
  contexts: Record<string, ClientCredentials & { endpoints: string[] }>;
}

/**
 * Waits until etcd has so many members and all of them vote: control planes join one by one after
 * the bootstrap, and the cluster survives the loss of one only then.
 *
 * @throws WaitTimeoutError after `deadlineMs`
 */
export function awaitEtcd(options: {
  readonly talosconfig: string;
  readonly count: number;
  readonly deadlineMs: number;
  readonly report: (line: string) => void;
}): Promise<number> {
  const { talosconfig, count } = options;
  const { context, contexts } = parse(talosconfig) as Talosconfig;
  const credentials = contexts[context];
  const endpoint = credentials?.endpoints[0];
  if (credentials === undefined || endpoint === undefined) {
    throw new Error(`the talosconfig names no endpoint in its context "${context}"`);
  }
  return waitFor<number>({
    what: `${count} voting members of etcd`,
    deadlineMs: options.deadlineMs,
    intervalMs: 250,
    report: options.report,
    probe: async ({ signal }) => {
      const client = TalosClient.connect({ endpoint, credentials });
      try {
        const members = await client.etcdMembers({ signal, timeoutMs: 5_000 });
        const voting = members.filter(({ isLearner }) => !isLearner).length;
        return members.length === count && voting === count
          ? { done: true, value: voting }
          : { done: false, status: `${members.length} members, ${voting} of them vote` };
      } finally {
        client.close();
      }
    },
  });
}
