import { MaintenanceServers } from "../api/maintenanceServers";
import { TalosApiError } from "../api/talosApiError";
import { type CallOptions, TalosClient } from "../api/talosClient";
import { talosResources } from "../api/talosResources";
import { waitFor } from "../api/waitFor";
import { clock } from "../clock";
import type { Progress } from "../progress";
import { type Machine, withMachine } from "./machine";

/**
 * How long a machine in maintenance mode may take to learn the time. Talos creates another certificate
 * then (Talos v1.12.1, `secrets.MaintenanceController`; v1.14.1, `secrets.APIController`). With a time
 * server in reach it takes a second or two.
 */
const TIME_MS = 10_000;

/** Ids of the machines that this run has met in maintenance mode, before any other run. */
const metNow = new Set<string>();

/**
 * Whether this run was the first to meet a machine, and in maintenance mode. The engine starts this
 * process for one run, and records a first contact before it begins what depends on it. So no former
 * run can have sent anything to the machine.
 */
export function isMetNow(machineId: string): boolean {
  return metNow.has(machineId);
}

/** A machine to meet, and how long that may take. */
export interface Meeting {
  readonly machine: Machine;
  readonly machineId: string;
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Waits until a machine answers, and changes nothing on it.
 *
 * @returns the fingerprint of its certificate in maintenance mode; undefined if it proves over mutual
 *   TLS that it has its configuration
 * @throws TalosApiError if it belongs to another cluster
 * @throws WaitTimeoutError at the deadline
 */
export async function meetMachine(meeting: Meeting): Promise<string | undefined> {
  const { machine, machineId, deadline, progress } = meeting;
  let untimedSince: number | undefined;
  const met = await waitFor<string | undefined>({
    what: `machine ${machine.node} to answer for the first time`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: async ({ signal }) => {
      const call = { signal };
      const answer = await ifConfigured(machine, (client) =>
        client.getTyped(talosResources.machineStatus, call),
      );
      if (!(answer instanceof TalosApiError)) {
        return { done: true, value: undefined };
      }
      const found = await lookInMaintenance(machine, call);
      if (found instanceof TalosApiError) {
        throwHidden(answer);
        return { done: false, seen: "it has just left maintenance mode" };
      }
      untimedSince ??= clock.now();
      return found.isTimed || clock.now() - untimedSince >= TIME_MS
        ? { done: true, value: found.fingerprint }
        : { done: false, seen: "it does not know the time yet" };
    },
  });
  if (met !== undefined) {
    metNow.add(machineId);
  }
  return met;
}

/** A machine in maintenance mode; the error of one that isn't in it. */
async function lookInMaintenance(
  { node }: Machine,
  call: CallOptions,
): Promise<{ fingerprint: string | undefined; isTimed: boolean } | TalosApiError> {
  const servers = new MaintenanceServers();
  const client = TalosClient.connectInsecure({ endpoint: node, servers });
  try {
    const isTimed = await isTimeKnown(client, call);
    return { fingerprint: servers.met, isTimed };
  } catch (error) {
    if (error instanceof TalosApiError && error.code === "alreadyConfigured") {
      return error;
    }
    throw error;
  } finally {
    client.close();
  }
}

async function isTimeKnown(
  client: Pick<TalosClient, "getTyped">,
  call: CallOptions,
): Promise<boolean> {
  try {
    return (await client.getTyped(talosResources.timeStatus, call)).spec.synced;
  } catch (error) {
    // Talos has not looked for a time server yet.
    if (error instanceof TalosApiError && error.code === "notFound") {
      return false;
    }
    throw error;
  }
}

/** Asks a machine over mutual TLS; returns the error of one that may be in maintenance mode. */
export async function ifConfigured<Result>(
  machine: Machine,
  ask: (client: TalosClient) => Promise<Result>,
): Promise<Result | TalosApiError> {
  try {
    return await withMachine(machine, ask);
  } catch (error) {
    if (error instanceof TalosApiError) {
      // A forwarding machine can't tell a machine in maintenance mode from an unreachable one.
      const mayBeHidden = error.code === "unreachable" && machine.endpoint !== machine.node;
      if (error.code === "notConfigured" || mayBeHidden) {
        return error;
      }
    }
    throw error;
  }
}

/**
 * Throws the answer of a forwarding machine, if no machine in maintenance mode answers at the address
 * itself: then that answer counts.
 */
export function throwHidden(answer: TalosApiError): void {
  if (answer.code !== "notConfigured") {
    throw answer;
  }
}
