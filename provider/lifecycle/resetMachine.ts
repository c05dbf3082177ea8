import { parse } from "yaml";
import { TalosApiError } from "../api/talosApiError";
import { type CallOptions, TalosClient } from "../api/talosClient";
import { type ProbeResult, waitFor } from "../api/waitFor";
import { clock } from "../clock";
import type { OnDestroy } from "../onDestroy";
import { isSilence } from "./isSilence";
import type { Machine } from "./machine";
import { withMachine } from "./withMachine";

/**
 * How long a machine must have been silent to count as switched off. Observed on Talos v1.12.1: the
 * port closes within a second of the call and stays closed.
 */
const SILENT_MS = 3_000;

/**
 * The partition that holds a machine's configuration: one that keeps it runs it again. Source: Talos
 * v1.12.1, `constants.StatePartitionLabel`.
 */
const STATE = "STATE";

/**
 * Wipes a machine, and waits until it is off, or in maintenance mode again; with its configuration left
 * on its disk, until it has started again. One that restarts before it is wiped is asked again.
 *
 * A machine that accepted the reset in this run and then waits for a configuration is wiped. One that
 * waits for a configuration from the start, as after a run that was cut off, counts as wiped only when
 * its disks hold no partition that was to be wiped. Nothing proves that it is the same machine, as it has
 * no certificate; that is reported.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws Error when the machine was wiped and has got a configuration again; when it waits for one and
 *   its disks aren't wiped; when the machine that forwards to it waits for one itself
 * @throws TalosApiError when the machine refuses
 * @throws WaitTimeoutError at the deadline
 */
export async function resetMachine(
  machine: Machine,
  { graceful = true, reboot = false, systemLabelsToWipe = [] }: OnDestroy,
  deadline: number,
  report: (line: string) => void,
): Promise<void> {
  const request = { graceful, reboot, systemPartitions: systemLabelsToWipe };
  const keepsConfiguration = systemLabelsToWipe.length > 0 && !systemLabelsToWipe.includes(STATE);
  let before: MachineLife | undefined;
  let isAccepted = false;
  let silentSince: number | undefined;
  const look = async (client: TalosClient, call: CallOptions): Promise<ProbeResult<undefined>> => {
    const present = await readLife(client, call);
    silentSince = undefined;
    const hasRestarted = before !== undefined && present.bootId !== before.bootId;
    if (hasRestarted && keepsConfiguration) {
      return { done: true, value: undefined };
    }
    if (hasRestarted && present.nodeId === undefined) {
      return { done: false, seen: "it starts again" };
    }
    if (hasRestarted && present.nodeId !== before?.nodeId) {
      throw new Error(RECONFIGURED);
    }
    if (hasRestarted || !isAccepted) {
      before = present;
      isAccepted = false;
      await client.reset(request, call);
      isAccepted = true;
    }
    return { done: false, seen: graceful ? "it leaves the cluster" : "it is about to be wiped" };
  };
  const onError = async (error: unknown, call: CallOptions): Promise<ProbeResult<undefined>> => {
    if (error instanceof TalosApiError && error.code === "notConfigured") {
      if (machine.endpoint !== machine.node) {
        throw new Error(
          `machine ${machine.endpoint} is in maintenance mode and forwards nothing: whether ${machine.node} was wiped isn't known`,
        );
      }
      return isAccepted
        ? { done: true, value: undefined }
        : lookAtDisks(machine, systemLabelsToWipe, call, report);
    }
    if (!isSilence(error) || !isAccepted) {
      throw error;
    }
    silentSince ??= clock.now();
    const isOff = !reboot && clock.now() - silentSince >= SILENT_MS;
    return isOff ? { done: true, value: undefined } : { done: false, seen: "its port is closed" };
  };
  const end = reboot ? (keepsConfiguration ? "up again" : "in maintenance mode") : "off";
  await waitFor<undefined>({
    what: `machine ${machine.node} to be wiped and ${end}`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: ({ signal }) =>
      withMachine(machine, (client) => look(client, { signal })).catch((error: unknown) =>
        onError(error, { signal }),
      ),
  });
}

/** Source: Talos v1.12.1, `block.DiscoveredVolumeSpec`. */
const VOLUMES = { namespace: "runtime", type: "DiscoveredVolumes.block.talos.dev" };

interface DiscoveredVolume {
  /** What is found in it; empty for nothing. */
  readonly name?: string;
  readonly partition_label?: string;
}

/** Partitions with what belongs to a cluster. */
const OF_CLUSTER: readonly string[] = [STATE, "EPHEMERAL"];

/** Judges by its disks whether a machine in maintenance mode was wiped. */
async function lookAtDisks(
  { node }: Machine,
  labels: readonly string[],
  call: CallOptions,
  report: (line: string) => void,
): Promise<ProbeResult<undefined>> {
  const client = TalosClient.connectInsecure({ endpoint: node });
  try {
    const found = await client.listResources(VOLUMES, call);
    if (found.length === 0) {
      return { done: false, seen: "it doesn't know its disks yet" };
    }
    const wanted = labels.length === 0 ? OF_CLUSTER : labels;
    const kept = found
      .map(({ spec }) => parse(spec) as DiscoveredVolume)
      .filter(({ name = "", partition_label: label = "" }) => name !== "" && wanted.includes(label))
      .map(({ partition_label: label = "" }) => label);
    if (kept.length > 0) {
      throw new Error(
        `machine ${node} is in maintenance mode, but its disk still holds ${kept.join(" and ")}: it was not wiped, or another machine has its address. Look at it with "talosctl get discoveredvolumes --insecure -n ${node}", and wipe it by hand`,
      );
    }
    report(
      `machine ${node} waits for a configuration with nothing on its disk that was to be wiped; nothing proves that it is the machine that was configured here`,
    );
    return { done: true, value: undefined };
  } finally {
    client.close();
  }
}

/** What tells a machine from itself before: another start, and another life after its STATE was wiped. */
interface MachineLife {
  readonly bootId: string;
  /** Undefined until it has started so far. */
  readonly nodeId: string | undefined;
}

/** The name of a machine in its cluster, kept in STATE. Source: Talos v1.12.1, `cluster` resources. */
const IDENTITY = { namespace: "cluster", type: "Identities.cluster.talos.dev", id: "local" };

async function readLife(client: TalosClient, call: CallOptions): Promise<MachineLife> {
  const bootId = await client.bootId(call);
  try {
    const { spec } = await client.getResource(IDENTITY, call);
    return { bootId, nodeId: (parse(spec) as { readonly nodeId: string }).nodeId };
  } catch (error) {
    if (error instanceof TalosApiError && error.code === "notFound") {
      return { bootId, nodeId: undefined };
    }
    throw error;
  }
}

/** A machine in maintenance mode gets no configuration by itself but from its platform. */
const RECONFIGURED =
  "it was wiped, but has a configuration again: the instance's user data gives it one at each start that finds none. Terminate the instance instead, or take the configuration out of its user data";
