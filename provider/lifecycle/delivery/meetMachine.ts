import { MaintenanceServers } from "../../api/maintenanceServers";
import { TalosApiError } from "../../api/talosApiError";
import { type CallOptions, TalosClient } from "../../api/talosClient";
import { talosResources } from "../../api/talosResources";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { type Machine, withMachine } from "../machine";
import type { ConsoleProof } from "./consoleProof";

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
  /** Fingerprints of which the machine must have one. Default: any, or what `proof` proves. */
  readonly accepted?: readonly string[] | undefined;
  /** Must prove the machine's fingerprint. Default: the first machine that answers is trusted. */
  readonly proof?: ConsoleProof | undefined;
}

/** By what a machine has proven to be the one that it is taken for. */
export type Proof =
  /** Over mutual TLS: it has its configuration. */
  | "certificate"
  /** One of the given fingerprints. */
  | "fingerprint"
  /** EC2's console output shows its fingerprint. */
  | "console"
  /** Nothing: it was the first to answer. */
  | "firstAnswer";

/** A machine that has answered. */
export interface Met {
  /** Of its certificate in maintenance mode; undefined if it has its configuration. */
  readonly fingerprint: string | undefined;
  readonly provenBy: Proof;
}

/**
 * Waits until a machine answers, and changes nothing on it.
 *
 * @throws TalosApiError if it belongs to another cluster
 * @throws Error if it doesn't prove that it is the machine
 * @throws WaitTimeoutError at the deadline
 */
export async function meetMachine(meeting: Meeting): Promise<Met> {
  const { machine, machineId, deadline, progress, proof } = meeting;
  let untimedSince: number | undefined;
  const met = await waitFor<Met>({
    what: `machine ${machine.node} to answer for the first time`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: async ({ signal }) => {
      const call = { signal };
      const answer = await ifConfigured(machine, (client) =>
        client.getTyped(talosResources.machineStatus, call),
      );
      if (!(answer instanceof TalosApiError)) {
        return { done: true, value: { fingerprint: undefined, provenBy: "certificate" } };
      }
      const found = await lookInMaintenance(machine, call);
      if (found instanceof TalosApiError) {
        throwHidden(answer);
        return { done: false, status: "it has just left maintenance mode" };
      }
      untimedSince ??= clock.now();
      return found.isTimed || clock.now() - untimedSince >= TIME_MS
        ? judgeMet(meeting, found.fingerprint, call)
        : { done: false, status: "it does not know the time yet" };
    },
  }).catch((error: unknown) => {
    throw proof?.explainWait(error) ?? error;
  });
  if (met.fingerprint !== undefined) {
    metNow.add(machineId);
  }
  return met;
}

/** Whether a machine in maintenance mode is the one that it is taken for. */
async function judgeMet(
  { machine, accepted, proof }: Meeting,
  fingerprint: string | undefined,
  call: CallOptions,
): Promise<ProbeResult<Met>> {
  if (fingerprint === undefined) {
    return { done: false, status: "it has shown no certificate" };
  }
  if (accepted !== undefined) {
    if (!accepted.includes(fingerprint)) {
      throw new Error(
        `machine ${machine.node} is in maintenance mode with the certificate fingerprint "${fingerprint}", not with one of maintenanceFingerprints ("${accepted.join('", "')}"). Another server may have its address, or it has made another certificate since: the newest one is in the last line "server certificate issued" on its console. Nothing was sent`,
      );
    }
    return { done: true, value: { fingerprint, provenBy: "fingerprint" } };
  }
  const missing = await proof?.judge(fingerprint, call);
  const provenBy = proof === undefined ? "firstAnswer" : "console";
  return missing === undefined
    ? { done: true, value: { fingerprint, provenBy } }
    : { done: false, status: missing };
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
