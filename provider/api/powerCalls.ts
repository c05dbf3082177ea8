import type { CallOptions } from "./callOptions";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";

/** What the events of a sequence that a call started are marked with; `events` can pick them out. */
export interface Actor {
  actorId: string;
}

/** How a machine restarts. */
export interface RebootRequest {
  /** POWERCYCLE switches power off and on instead of loading the kernel anew, FORCE stops nothing before. Default: DEFAULT. */
  mode?: "DEFAULT" | "POWERCYCLE" | "FORCE";
}

/** What a reset does. What it wipes cannot be brought back. */
export interface ResetRequest {
  /** Whether to cordon and drain the node and to leave etcd before. Default: true. */
  graceful?: boolean;
  /** Whether the machine starts again afterwards, into maintenance mode. Default: false, it stays off. */
  reboot?: boolean;
  /** Labels of the partitions of the system disk that are wiped, such as `STATE` and `EPHEMERAL`. Default: the whole disk. */
  systemPartitions?: readonly string[];
  /** Other disks that are wiped, such as `/dev/sdb`. Default: none. */
  userDisks?: readonly string[];
  /** Which kind of disk is wiped. Default: ALL. */
  mode?: "ALL" | "SYSTEM_DISK" | "USER_DISKS";
}

/** What an upgrade installs. */
export interface UpgradeRequest {
  /** The installer, such as `factory.talos.dev/aws-installer/<schematic>:v1.12.1`. */
  image: string;
  /** Whether to install at the next reboot instead of at once. Default: false. */
  stage?: boolean;
  /** Whether to leave out the check that etcd stays healthy without this member. Default: false. */
  force?: boolean;
  /** Talos v1.12 keeps the data always and ignores it. Default: true. */
  preserve?: boolean;
  /** POWERCYCLE switches power off and on instead of loading the kernel anew. Default: DEFAULT. */
  rebootMode?: "DEFAULT" | "POWERCYCLE";
}

/** An upgrade is answered once the node has pulled and checked the installer. */
const upgradeTimeoutMs = 600_000;

/**
 * What starts, stops and changes machines as a whole. The answer says that the node has begun; the
 * work follows, and the port closes within a second (Talos v1.12.1).
 */
export function powerCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  return {
    /** Restarts the machine. */
    reboot: ({ mode = "DEFAULT" }: RebootRequest = {}, call?: CallOptions) =>
      nodes.ask(machine.Reboot, { mode }, toActor, call),

    /** Switches the machine off. `force` does not drain the node before; default: false. */
    shutdown: ({ force = false } = {}, call?: CallOptions) =>
      nodes.ask(machine.Shutdown, { force }, toActor, call),

    /** Wipes the machine, for good. `unknown` with the reason if a disk or partition does not exist. */
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
        timeoutMs: upgradeTimeoutMs,
        ...call,
      });
    },
  };
}

function toActor({ actorId }: Actor): Actor {
  return { actorId };
}
