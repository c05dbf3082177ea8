import { parse } from "yaml";
import { TalosApiError } from "../api/talosApiError";
import { type ApplyRequest, type CallOptions, TalosClient } from "../api/talosClient";
import type { TalosErrorCode } from "../api/talosErrorCode";
import { type ProbeResult, waitFor } from "../api/waitFor";
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
  const request = { data: text, mode: "AUTO" } as const;
  return wait(
    delivery,
    `machine ${machine.node} to accept its first configuration`,
    async (call) => {
      const refusal = await applyAuthenticated(machine, request, call);
      if (refusal === undefined) {
        return { done: true, value: undefined };
      }
      const client = TalosClient.connectInsecure({ endpoint: machine.node });
      try {
        await client.applyConfiguration(request, call);
        return { done: true, value: undefined };
      } catch (error) {
        if (codeOf(error) !== "alreadyConfigured") {
          throw error;
        }
        // Nobody in maintenance mode: what the machine that forwards said of it holds.
        if (refusal.code !== "notConfigured") {
          throw refusal;
        }
        return { done: false, seen: "it has just left maintenance mode" };
      } finally {
        client.close();
      }
    },
  );
}

/** Applies over mutual TLS; returns the error of a machine that may be in maintenance mode. */
async function applyAuthenticated(
  machine: Machine,
  request: ApplyRequest,
  call: CallOptions,
): Promise<TalosApiError | undefined> {
  try {
    await withClient(machine, (client) => client.applyConfiguration(request, call));
    return undefined;
  } catch (error) {
    if (error instanceof TalosApiError) {
      // A machine that forwards can't tell one in maintenance mode from one it doesn't reach.
      const mayBeHidden = error.code === "unreachable" && machine.endpoint !== machine.node;
      if (error.code === "notConfigured" || mayBeHidden) {
        return error;
      }
    }
    throw error;
  }
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
  return wait(delivery, `machine ${machine.node} to accept its configuration`, async (call) => {
    await withClient(machine, async (client) => {
      if ((await activeHash(client, call)) !== hash) {
        await client.applyConfiguration({ data: text, mode: "AUTO" }, call);
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
  return wait(delivery, `machine ${machine.node} to run its configuration`, async (call) => {
    const active = await withClient(machine, (client) => activeHash(client, call));
    return active === hash
      ? { done: true, value: undefined }
      : { done: false, seen: "it runs another configuration" };
  });
}

async function activeHash(client: TalosClient, call: CallOptions): Promise<string> {
  const { spec } = await client.getResource(ACTIVE_CONFIGURATION, call);
  // The spec is YAML whose one value is a text: the configuration as it was sent.
  return hashDocuments(decodeDocuments(String(parse(spec))));
}

function codeOf(error: unknown): TalosErrorCode | undefined {
  return error instanceof TalosApiError ? error.code : undefined;
}

function wait(
  { deadline, report }: Delivery,
  what: string,
  look: (call: CallOptions) => Promise<ProbeResult<undefined>>,
): Promise<undefined> {
  return waitFor<undefined>({
    what,
    deadlineMs: Math.max(0, deadline - Date.now()),
    probe: ({ signal }) => look({ signal }),
    report,
  });
}

async function withClient<T>(machine: Machine, work: (client: TalosClient) => Promise<T>) {
  const client = TalosClient.connect(machine);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
