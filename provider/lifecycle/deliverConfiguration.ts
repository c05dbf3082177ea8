import { TalosApiError } from "../api/talosApiError";
import { TalosClient } from "../api/talosClient";
import { waitFor, type WaitOptions } from "../api/waitFor";
import { decodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import type { Machine } from "./machine";

/** A configuration on its way to a machine. */
export interface Delivery {
  readonly machine: Machine;
  /** The YAML documents. Secret. */
  readonly text: string;
  /** SHA-256, hex, of their meaning. */
  readonly hash: string;
  /** When to give up, in milliseconds since 1970: one deadline for all that is waited for. */
  readonly deadline: number;
  readonly report: (line: string) => void;
}

/** The active configuration, as every machine keeps it. Source: Talos v1.12.1, `config` resources. */
const ACTIVE_CONFIGURATION = {
  namespace: "config",
  type: "MachineConfigs.config.talos.dev",
  id: "v1alpha1",
};

/**
 * Gives a machine its first configuration. One that already answers with the cluster's certificate
 * (an earlier run was cut off after it had delivered) is talked to over mutual TLS from the start;
 * only one in maintenance mode gets the configuration over an unauthenticated connection.
 *
 * Returns when the machine has accepted the configuration, not yet when it runs it.
 *
 * @throws TalosApiError when the machine refuses it, or belongs to another cluster
 * @throws WaitTimeoutError at the deadline
 */
export function deliverFirstConfiguration(delivery: Delivery): Promise<void> {
  const { machine, text } = delivery;
  return wait(delivery, `machine ${machine.node} to accept its first configuration`, async () => {
    try {
      await withClient(machine, (client) => client.applyConfiguration({ data: text, mode: "AUTO" }));
    } catch (error) {
      if (!(error instanceof TalosApiError) || error.code !== "wrongCluster") {
        throw error;
      }
      // Not our certificate: then it must be in maintenance mode, which the client verifies.
      const client = TalosClient.connectInsecure({ endpoint: machine.node });
      try {
        await client.applyConfiguration({ data: text, mode: "AUTO" });
      } finally {
        client.close();
      }
    }
    return { done: true, value: undefined };
  });
}

/**
 * Gives a configured machine another configuration, over mutual TLS only. Talos decides whether it
 * must reboot for it.
 *
 * @throws TalosApiError when the machine refuses it, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError at the deadline
 */
export function deliverConfiguration(delivery: Delivery): Promise<void> {
  const { machine, text, hash } = delivery;
  return wait(delivery, `machine ${machine.node} to accept its configuration`, async () => {
    await withClient(machine, async (client) => {
      if ((await activeHash(client)) !== hash) {
        await client.applyConfiguration({ data: text, mode: "AUTO" });
      }
    });
    return { done: true, value: undefined };
  });
}

/**
 * Waits until a machine runs a configuration, as the machine itself says.
 *
 * @throws WaitTimeoutError at the deadline
 */
export function awaitConfiguration(delivery: Delivery): Promise<void> {
  const { machine, hash } = delivery;
  return wait(delivery, `machine ${machine.node} to run its configuration`, async () => {
    const active = await withClient(machine, activeHash);
    return active === hash
      ? { done: true, value: undefined }
      : { done: false, seen: "it runs another configuration" };
  });
}

async function activeHash(client: TalosClient): Promise<string> {
  const { spec } = await client.getResource(ACTIVE_CONFIGURATION);
  return hashDocuments(decodeDocuments(spec));
}

function wait(
  { deadline, report }: Delivery,
  what: string,
  probe: WaitOptions<undefined>["probe"],
): Promise<undefined> {
  return waitFor({ what, deadlineMs: Math.max(0, deadline - Date.now()), probe, report });
}

async function withClient<T>(machine: Machine, work: (client: TalosClient) => Promise<T>) {
  const client = TalosClient.connect(machine);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
