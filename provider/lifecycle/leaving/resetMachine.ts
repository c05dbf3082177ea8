import { parse } from "yaml";
import { TalosApiError } from "../../api/talosApiError";
import { type CallOptions, TalosClient } from "../../api/talosClient";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import type { OnDestroy } from "../../engine/onDestroy";
import { wipedWith, withEtcdPartition } from "../etcd/etcdPartition";
import { type Machine, withMachine } from "../machine";
import { isSilence } from "../silence";

/**
 * How long a machine must be silent to count as off. Observed on Talos v1.12.1: the port closes
 * within a second of the call and stays closed.
 */
const SILENT_MS = 3_000;

/**
 * The partition with a machine's configuration. A machine that keeps it runs it again. Source:
 * Talos v1.12.1, `constants.StatePartitionLabel`.
 */
const STATE = "STATE";

/**
 * Wipes a machine, and waits until it is off or in maintenance mode again. If its configuration
 * stays on the disk, it waits until the machine has started again. A machine that restarts before
 * it is wiped is asked again. A machine that accepted the reset in this run and then waits for a
 * configuration is wiped. With EPHEMERAL, etcd's own partition is wiped, where it has one.
 *
 * A machine may wait for a configuration from the start, as after an interrupted run. It counts as
 * wiped only if its disks have none of the partitions to wipe. It has no certificate, so nothing
 * proves that it is the same machine; a warning says so.
 *
 * @param deadline in milliseconds since 1970
 * @throws Error if the machine was wiped and has a configuration again. Error if it waits for one
 *   and its disks aren't wiped. Error if the machine that forwards to it waits for one itself
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline
 */
export async function resetMachine(
  machine: Machine,
  { graceful = true, reboot = false, systemLabelsToWipe = [] }: OnDestroy,
  deadline: number,
  progress: Progress,
): Promise<void> {
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
      return { done: false, status: "it starts again" };
    }
    if (hasRestarted && present.nodeId !== before?.nodeId) {
      throw new Error(RECONFIGURED);
    }
    if (hasRestarted || !isAccepted) {
      before = present;
      isAccepted = false;
      const systemPartitions = await withEtcdPartition(client, systemLabelsToWipe, call);
      await client.reset({ graceful, reboot, systemPartitions }, call);
      isAccepted = true;
    }
    return { done: false, status: graceful ? "it leaves the cluster" : "it is about to be wiped" };
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
        : lookAtDisks(machine, systemLabelsToWipe, call, progress);
    }
    if (!isSilence(error) || !isAccepted) {
      throw error;
    }
    silentSince ??= clock.now();
    const isOff = !reboot && clock.now() - silentSince >= SILENT_MS;
    return isOff ? { done: true, value: undefined } : { done: false, status: "its port is closed" };
  };
  const end = reboot ? (keepsConfiguration ? "up again" : "in maintenance mode") : "off";
  await waitFor<undefined>({
    what: `machine ${machine.node} to be wiped and ${end}`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: ({ signal }) =>
      withMachine(machine, (client) => look(client, { signal })).catch((error: unknown) =>
        onError(error, { signal }),
      ),
  });
}

/** Source: Talos v1.12.1, `block.DiscoveredVolumeSpec`. */
const VOLUMES = { namespace: "runtime", type: "DiscoveredVolumes.block.talos.dev" };

interface DiscoveredVolume {
  /** The label of its partition; empty without one. */
  readonly name?: string;
  readonly partition_label?: string;
}

/** Partitions with data of a cluster. */
const OF_CLUSTER: readonly string[] = [STATE, "EPHEMERAL", "ETCD"];

/** Checks the disks of a machine in maintenance mode: whether it was wiped. */
async function lookAtDisks(
  { node }: Machine,
  labels: readonly string[],
  call: CallOptions,
  { warn }: Progress,
): Promise<ProbeResult<undefined>> {
  const client = TalosClient.connectInsecure({ endpoint: node });
  try {
    const found = await client.listResources(VOLUMES, call);
    if (found.length === 0) {
      return { done: false, status: "it has not discovered its disks yet" };
    }
    const wanted = labels.length === 0 ? OF_CLUSTER : wipedWith(labels);
    const kept = found
      .map(({ spec }) => parse(spec) as DiscoveredVolume)
      .filter(({ name = "", partition_label: label = "" }) => name !== "" && wanted.includes(label))
      .map(({ partition_label: label = "" }) => label);
    if (kept.length > 0) {
      throw new Error(
        `machine ${node} is in maintenance mode, but its disk still holds ${kept.join(" and ")}: it was not wiped, or another machine has its address. Look at it with "talosctl get discoveredvolumes --insecure -n ${node}", and wipe it by hand`,
      );
    }
    warn(
      `machine ${node} is in maintenance mode, and its disk has none of the partitions to wipe; nothing proves that it is the machine that was configured here`,
    );
    return { done: true, value: undefined };
  } finally {
    client.close();
  }
}

/** Identifies a start of the machine, and its identity between two wipes of STATE. */
interface MachineLife {
  readonly bootId: string;
  /** Undefined until the machine has started that far. */
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

/** A machine in maintenance mode gets a configuration without a call only from its platform. */
const RECONFIGURED =
  "it was wiped, but has a configuration again: the instance's user data contains one, which a machine without a configuration reads at its start. Terminate the instance instead, or remove the configuration from its user data";
