import { TalosApiError } from "../api/talosApiError";
import type { CallOptions, TalosClient } from "../api/talosClient";
import { type ProbeResult, waitFor } from "../api/waitFor";
import type { OnDestroy } from "../onDestroy";
import type { Machine } from "./machine";
import { withMachine } from "./withMachine";

/**
 * How long a machine must have been silent to count as switched off. Observed on Talos v1.12.1: the
 * port closes within a second of the call and stays closed.
 */
const SILENT_MS = 3_000;

/**
 * Wipes a machine, and waits until it is off, or in maintenance mode again. One that already is in
 * maintenance mode has nothing left to wipe.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws TalosApiError when the machine refuses
 * @throws WaitTimeoutError at the deadline
 */
export async function resetMachine(
  machine: Machine,
  { graceful = true, reboot = false, systemLabelsToWipe = [] }: OnDestroy,
  deadline: number,
  report: (line: string) => void,
): Promise<void> {
  const wait = (
    what: string,
    look: (client: TalosClient, call: CallOptions) => Promise<ProbeResult<undefined>>,
    onError: (error: unknown) => ProbeResult<undefined>,
  ) =>
    waitFor<undefined>({
      what: `machine ${machine.node} to ${what}`,
      deadlineMs: Math.max(0, deadline - Date.now()),
      report,
      probe: ({ signal }) =>
        withMachine(machine, (client) => look(client, { signal })).catch(onError),
    });

  await wait(
    "accept its reset",
    async (client, call) => {
      const request = { graceful, reboot, systemPartitions: systemLabelsToWipe };
      await client.reset(request, call);
      return { done: true, value: undefined };
    },
    (error) => (isInMaintenance(error) ? { done: true, value: undefined } : rethrow(error)),
  );
  let silentSince: number | undefined;
  await wait(
    reboot ? "be wiped and in maintenance mode" : "be wiped and off",
    async (client, call) => {
      await client.services(call);
      silentSince = undefined;
      return { done: false, seen: graceful ? "it leaves the cluster" : "it is about to be wiped" };
    },
    (error) => {
      if (isInMaintenance(error)) {
        return { done: true, value: undefined };
      }
      if (!isSilence(error)) {
        return rethrow(error);
      }
      silentSince ??= Date.now();
      const isOff = !reboot && Date.now() - silentSince >= SILENT_MS;
      return isOff ? { done: true, value: undefined } : { done: false, seen: "its port is closed" };
    },
  );
}

function isInMaintenance(error: unknown): boolean {
  return error instanceof TalosApiError && error.code === "notConfigured";
}

function rethrow(error: unknown): never {
  throw error;
}

function isSilence(error: unknown): boolean {
  return (
    error instanceof TalosApiError &&
    (error.code === "unreachable" || error.code === "deadlineExceeded")
  );
}
