import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { ResetRequest__Output } from "../../../provider/api/gen/machine/ResetRequest";
import { messageOfError } from "../../../provider/base";
import { hasPromotable, PROMOTABLE } from "../config/ownVolumes";
import { hexId } from "../etcd/etcdCluster";
import type { EtcdService } from "../etcd/etcdService";
import { rootDisk } from "../machine/disks";
import { type InstalledSystem, systemOf } from "../machine/installerImage";
import { stagedUpgradeTag, type WipeablePartition } from "../machine/machineDisk";
import type { ResetOptions } from "../machine/nodeControl";
import type { NodeState } from "../machine/nodeState";
import { type Method, unary } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { etcdMembership } from "./etcdMethods";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/**
 * Reboot, Shutdown, Reset, Upgrade and Rollback. Each answers at once, except Rollback with the
 * actor id of the events that follow.
 */
export function powerMethods({ state, control }: MethodContext): Method[] {
  const { logs } = state.uptime;
  const accept = (start: (actorId: string) => void) => {
    const actorId = randomUUID();
    start(actorId);
    return { messages: [{ actorId }] };
  };
  return [
    unary(service.Reboot, ({ mode }) =>
      accept((actorId) => {
        logs.talos(`reboot via API received. actor id: ${actorId}`);
        control.reboot({ actorId, mode, takeover: false });
      }),
    ),
    unary(service.Shutdown, ({ force }) =>
      accept((actorId) => {
        logs.talos(`shutdown via API received. actor id: ${actorId}`);
        control.shutdown({ actorId, force });
      }),
    ),
    unary(service.Reset, (request) =>
      accept((actorId) => {
        const { graceful, reboot } = request;
        control.reset({ actorId, graceful, reboot, wipes: wipesOf(request, state) });
      }),
    ),
    unary(service.Upgrade, async (request, { signal }) => {
      const { image, stage, force, rebootMode } = request;
      logs.talos(
        `upgrade request received: staged ${stage}, force ${force}, reboot mode ${rebootMode}`,
      );
      const system = installer(image);
      if (state.etcd && !force) {
        await requireUpgradable(state.etcd, signal);
      }
      const { messages } = accept((actorId) => {
        if (stage) {
          state.disk.meta.set(stagedUpgradeTag, image);
        }
        control.upgrade({ actorId, system, stage, mode: rebootMode });
      });
      return {
        messages: messages.map((message) => ({ ack: "Upgrade request received", ...message })),
      };
    }),
    unary(service.Rollback, () => {
      logs.talos("rollback via API received");
      if (!control.rollback()) {
        throw new RpcError(status.UNKNOWN, 'cannot rollback to "", label does not exist');
      }
      return { messages: [{}] };
    }),
  ];
}

function installer(image: string): InstalledSystem {
  try {
    return systemOf(image);
  } catch (error) {
    const reason = messageOfError(error);
    throw new RpcError(
      status.UNKNOWN,
      `error validating installer image ${JSON.stringify(image)}: ${reason}`,
    );
  }
}

/**
 * Throws `UNKNOWN` if etcd would lose its majority without this member (talos v1.12.1,
 * `ValidateForUpgrade`).
 */
async function requireUpgradable(etcd: EtcdService, signal: AbortSignal): Promise<void> {
  const { cluster } = await etcdMembership(etcd, signal);
  const { members } = cluster;
  const problem = (text: string) =>
    new RpcError(status.UNKNOWN, `error validating etcd for upgrade: ${text}`);
  if (members.length === 2) {
    throw problem("etcd member count(2) is insufficient to maintain quorum if upgrade commences");
  }
  const unhealthy = members.find(({ isRunning, isLearner }) => !isRunning || isLearner);
  if (unhealthy) {
    const reason = unhealthy.isRunning
      ? "etcdserver: rpc not supported for learner"
      : "context deadline exceeded";
    throw problem(
      `etcd member ${hexId(unhealthy.id)} is not healthy; all members must be healthy to perform an upgrade: ${reason}`,
    );
  }
}

/** Throws `UNKNOWN`, with Talos' text, for a contradictory request or a missing disk or partition. */
function wipesOf(request: ResetRequest__Output, state: NodeState): ResetOptions["wipes"] {
  const { mode, systemPartitionsToWipe, userDisksToWipe } = request;
  if (userDisksToWipe.length > 0) {
    if (mode === "SYSTEM_DISK") {
      throw invalid(
        "reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter",
      );
    }
    const [device = ""] = userDisksToWipe;
    throw invalid(
      device === rootDisk.path
        ? `reset user disk failed: device ${device} is the system disk`
        : `reset user disk failed: device ${device} wasn't found`,
    );
  }
  if (systemPartitionsToWipe.length > 0) {
    if (mode === "USER_DISKS") {
      throw invalid(
        "reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter",
      );
    }
    const labels = systemPartitionsToWipe.filter(({ wipe }) => wipe).map(({ label }) => label);
    return labels.flatMap((label) =>
      isDirectory(label, state) ? insideOf(label, labels) : [partition(label)],
    );
  }
  return mode === "USER_DISKS" ? "nothing" : "disk";
}

/** Whether a volume is a directory that is known by its label. */
function isDirectory(label: string, { talosVersion, disk }: NodeState): boolean {
  return (
    hasPromotable(talosVersion) && label in PROMOTABLE && !(label === "ETCD" && disk.hasOwnEtcd)
  );
}

/** A directory goes with the volume that it is in, which must be named too (talos v1.14.1, `Reset`). */
function insideOf(label: string, labels: readonly string[]): [] {
  if (labels.includes("EPHEMERAL")) {
    return [];
  }
  const [inside, around] = [label, "EPHEMERAL"].map((name) => JSON.stringify(name));
  throw invalid(
    `failed to reset: volume ${inside} resides on volume ${around}, and therefore ${inside} cannot be wiped without wiping ${around}`,
  );
}

function partition(label: string): WipeablePartition {
  if (label === "STATE" || label === "EPHEMERAL" || label === "META" || label === "ETCD") {
    return label;
  }
  throw invalid(
    `failed to get volume status with label ${JSON.stringify(label)}: resource VolumeStatuses.block.talos.dev(runtime/${label}@undefined) doesn't exist`,
  );
}

function invalid(message: string): RpcError {
  return new RpcError(status.UNKNOWN, message);
}
