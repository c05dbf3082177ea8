import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";
import { isOtherInstance } from "../leaving/isOtherInstance";
import { type EtcdMachine, withMachine } from "../machine";
import { isAbsence } from "../silence";

/** A machine that is off must not delay the check of others; etcd's calls hang without a leader. */
const LOOK_TIMEOUT_MS = 5_000;

/** The etcd state that a control plane machine reports. */
export type EtcdLook =
  /** No answer, or another machine answers. */
  | { readonly kind: "silent"; readonly reason: string }
  /** The machine waits for its first configuration, so there is no etcd. */
  | { readonly kind: "unconfigured" }
  /** The machine starts. */
  | { readonly kind: "starting"; readonly state: string }
  /** etcd waits to be bootstrapped or to join. If this lasts some seconds, it has no data. */
  | { readonly kind: "waiting" }
  /** etcd has data. */
  | {
      readonly kind: "holding";
      readonly state: string;
      /** The names of its members; undefined without a majority. */
      readonly members: readonly string[] | undefined;
    };

/**
 * States of a service that its machine has not started yet. Source: Talos v1.12.1,
 * `events.ServiceState`.
 */
const STARTING: readonly string[] = ["Initialized", "Starting", "Waiting", "Stopping"];

/**
 * Checks the etcd of a control plane machine once.
 *
 * @throws TalosApiError if the machine refuses
 */
export async function lookAtEtcd(machine: EtcdMachine, signal?: AbortSignal): Promise<EtcdLook> {
  const call = { timeoutMs: LOOK_TIMEOUT_MS, ...(signal && { signal }) };
  try {
    return await withMachine(machine, (client) => look(client, machine, call));
  } catch (error) {
    if (error instanceof TalosApiError && error.code === "notConfigured") {
      // Behind another machine, the answer may come from either of them.
      return machine.endpoint === machine.node
        ? { kind: "unconfigured" }
        : { kind: "silent", reason: error.message };
    }
    const isCutOff =
      error instanceof TalosApiError && error.code === "cancelled" && signal?.aborted !== true;
    if (isCutOff || isAbsence(error)) {
      return { kind: "silent", reason: error.message };
    }
    throw error;
  }
}

async function look(
  client: TalosClient,
  { machineId, node }: EtcdMachine,
  call: CallOptions,
): Promise<EtcdLook> {
  if (await isOtherInstance(client, machineId, call)) {
    return { kind: "silent", reason: `another machine has its address ${node}` };
  }
  const etcd = (await client.services(call)).find(({ id }) => id === "etcd");
  if (etcd === undefined) {
    return { kind: "starting", state: "absent" };
  }
  const { state } = etcd;
  if (state === "Preparing") {
    return { kind: "waiting" };
  }
  const isRestarted = etcd.events.some((each) => each.state === "Running");
  if (STARTING.includes(state) && !isRestarted) {
    return { kind: "starting", state };
  }
  const members = state === "Running" ? await namesOfMembers(client, call) : undefined;
  return { kind: "holding", state, members };
}

async function namesOfMembers(
  client: TalosClient,
  call: CallOptions,
): Promise<readonly string[] | undefined> {
  try {
    return (await client.etcdMembers(call)).map(({ hostname }) => hostname);
  } catch (error) {
    if (error instanceof TalosApiError && error.code !== "cancelled") {
      return undefined;
    }
    throw error;
  }
}
