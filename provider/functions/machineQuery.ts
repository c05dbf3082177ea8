import * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../api/callOptions";
import { type MaintenanceClient, TalosClient } from "../api/talosClient";
import { waitFor } from "../api/waitFor";
import { engineCall } from "../base/engineCall";
import { engineProgress } from "../engine/engineProgress";
import type { InputsOf } from "../engine/talosResource";
import type { ClientCredentials } from "../pki/clientCredentials";

/** A configured machine, and how to reach it. */
export interface MachineQueryArgs {
  /** Its address or name, without port. */
  readonly node: string;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: string;
  /** Further endpoints to try in this order if `endpoint` can't be reached. Default: none. */
  readonly endpoints?: readonly string[];
  /** `ClientConfiguration.credentials`. */
  readonly credentials: ClientCredentials;
  /** How long to wait for an answer of a machine that starts or restarts. Seconds. Default: 60. */
  readonly timeoutSeconds?: number;
}

/** A machine in maintenance mode. */
export interface MaintenanceQueryArgs {
  /** Its address. No other machine forwards to a machine without a configuration. */
  readonly node: string;
  /**
   * Accepts an answer without authentication. Any machine at the address could give it, so do not
   * trust it. A configured machine refuses.
   */
  readonly maintenance: true;
  /** How long to wait for an answer of a machine that starts or restarts. Default: 60. */
  readonly timeoutSeconds?: number;
}

/** How long one attempt may take. After that, its failure is reported. */
const ATTEMPT_MS = 8_000;

/**
 * Asks a machine, only over mutual TLS, and retries after temporary failures.
 *
 * @throws TalosApiError if the machine refuses, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export async function queryMachine<Value>(
  args: MachineQueryArgs,
  what: string,
  ask: (client: TalosClient, call: CallOptions) => Promise<Value>,
): Promise<Value> {
  const { node, endpoint = node, endpoints = [], credentials } = args;
  const client = TalosClient.connect({ endpoint, endpoints, node, credentials });
  return untilAnswered(client, args, what, ask);
}

/**
 * Asks a machine in maintenance mode, unauthenticated, in the same way.
 *
 * @throws TalosApiError if the machine refuses, or is not in maintenance mode
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export function queryMaintenance<Value>(
  args: MaintenanceQueryArgs,
  what: string,
  ask: (client: MaintenanceClient, call: CallOptions) => Promise<Value>,
): Promise<Value> {
  return untilAnswered(TalosClient.connectInsecure({ endpoint: args.node }), args, what, ask);
}

async function untilAnswered<Client extends MaintenanceClient, Value>(
  client: Client,
  { node, timeoutSeconds = 60 }: Pick<MachineQueryArgs, "node" | "timeoutSeconds">,
  what: string,
  ask: (client: Client, call: CallOptions) => Promise<Value>,
): Promise<Value> {
  try {
    return await waitFor<Value>({
      what: `machine ${node} to report ${what}`,
      deadlineMs: timeoutSeconds * 1000,
      probe: async ({ signal, remainingMs }) => {
        // The call ends before the wait, so that the wait can report the reason.
        const timeoutMs = Math.min(ATTEMPT_MS, Math.max(1, remainingMs - 100));
        return { done: true, value: await ask(client, { signal, timeoutMs }) };
      },
      report: reportOfCall(),
    });
  } finally {
    client.close();
  }
}

/** Progress beside the stack: of the plugin's call, or of the program. */
function reportOfCall(): (line: string) => void {
  return engineCall() === undefined
    ? (line) => void pulumi.log.info(line, undefined, undefined, true)
    : engineProgress(undefined).report;
}

/**
 * A query as an output. It runs once all its inputs are known, so a preview contacts no machine
 * that doesn't exist yet. A secret input makes the answer secret.
 */
export function queryWhenKnown<Args extends object, Value>(
  args: InputsOf<Args>,
  query: (args: Args) => Promise<Value>,
): pulumi.Output<Value> {
  return pulumi.output(args as pulumi.Input<Args>).apply((known) => query(known as Args));
}
