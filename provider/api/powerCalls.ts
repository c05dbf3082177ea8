import type { CallOptions } from "./callOptions";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";

/** The id that marks the events of a started sequence. `events` can select them. */
export interface Actor {
  actorId: string;
}

/** Options of a restart. */
export interface RebootRequest {
  /**
   * POWERCYCLE switches power off and on instead of using kexec. FORCE stops no service first.
   * Default: DEFAULT.
   */
  mode?: "DEFAULT" | "POWERCYCLE" | "FORCE";
}

/** Options of a reset. Wiped data cannot be restored. */
export interface ResetRequest {
  /** Whether to cordon and drain the node and to leave etcd first. Default: true. */
  graceful?: boolean;
  /** Whether the machine starts again afterwards, into maintenance mode. Default: false, it stays off. */
  reboot?: boolean;
  /**
   * Labels of the system disk's partitions to wipe, for example `STATE` and `EPHEMERAL`. Default:
   * the whole disk.
   */
  systemPartitions?: readonly string[];
  /** Other disks to wipe, for example `/dev/sdb`. Default: none. */
  userDisks?: readonly string[];
  /** The kind of disks to wipe. Default: ALL. */
  mode?: "ALL" | "SYSTEM_DISK" | "USER_DISKS";
}

/** Options of an upgrade. */
export interface UpgradeRequest {
  /** The installer, for example `factory.talos.dev/aws-installer/<schematic>:v1.12.1`. */
  image: string;
  /** Whether to install at the next reboot instead of at once. Default: false. */
  stage?: boolean;
  /** Whether to skip the check that etcd stays healthy without this member. Default: false. */
  force?: boolean;
  /** Talos v1.12 ignores it and always keeps the data. Default: true. */
  preserve?: boolean;
  /** POWERCYCLE switches power off and on instead of using kexec. Default: DEFAULT. */
  rebootMode?: "DEFAULT" | "POWERCYCLE";
}

/** The reply to an upgrade comes after the node has pulled and checked the installer. */
const UPGRADE_TIMEOUT_MS = 600_000;

/**
 * Calls that start, stop or change whole machines. The reply says that the node has begun. The work
 * follows, and the port closes within a second (Talos v1.12.1).
 */
export function powerCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  return {
    /** Restarts the machine. */
    reboot: ({ mode = "DEFAULT" }: RebootRequest = {}, call?: CallOptions) =>
      nodes.ask(machine.Reboot, { mode }, toActor, call),

    /** Shuts the machine down. `force` does not drain the node first; default: false. */
    shutdown: ({ force = false } = {}, call?: CallOptions) =>
      nodes.ask(machine.Shutdown, { force }, toActor, call),

    /** Wipes the machine. `unknown` with the reason if a disk or partition does not exist. */
    reset: (request: ResetRequest = {}, call?: CallOptions) => {
      const { graceful = true, reboot = false, mode = "ALL" } = request;
      const systemPartitionsToWipe = (request.systemPartitions ?? []).map((label) => {
        return { label, wipe: true };
      });
      const userDisksToWipe = [...(request.userDisks ?? [])];
      return nodes.ask(
        machine.Reset,
        { graceful, reboot, mode, systemPartitionsToWipe, userDisksToWipe },
        toActor,
        call,
      );
    },

    /** Installs another version of Talos and restarts the machine. Default deadline: 10 min. */
    upgrade: (request: UpgradeRequest, call?: CallOptions) => {
      const { image, stage = false, force = false, preserve = true } = request;
      const { rebootMode = "DEFAULT" } = request;
      return nodes.ask(machine.Upgrade, { image, stage, force, preserve, rebootMode }, toActor, {
        timeoutMs: UPGRADE_TIMEOUT_MS,
        ...call,
      });
    },
  };
}

function toActor({ actorId }: Actor): Actor {
  return { actorId };
}
