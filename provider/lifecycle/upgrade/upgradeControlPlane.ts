import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { isNewerMinor } from "../../config/releases/kubernetesSkew";
import { decodeDocuments } from "../../config/yaml/encode";
import { readMachineConfig } from "../delivery/machineConfigs";
import { awaitEtcd } from "../etcd/awaitEtcd";
import { awaitHealthy } from "../health/awaitHealthy";
import { awaitApiServers } from "../kubernetes/awaitApiServers";
import { warnOfRemovedApis } from "../kubernetes/warnOfRemovedApis";
import { type Machine, withMachine } from "../machine";
import { changeImages } from "./changeImages";
import {
  CONTROL_PLANE_PARTS,
  type ControlPlaneImages,
  type ControlPlanePart,
  imageIn,
  imageOfPart,
  tagOf,
} from "./controlPlaneImages";
import {
  type ControlPlaneMember,
  membersLeftOn,
  membersOfOtherTalos,
  readMembers,
} from "./controlPlaneMembers";
import { lowerKubelets } from "./lowerKubelets";
import { changeMemberTalos, type MemberTalos, versionOf } from "./memberTalos";

/** How long etcd may take to become healthy before a machine changes. */
const GATE_MS = 600_000;

/** A control plane that gets another Kubernetes. */
export interface ControlPlaneUpgrade {
  /** One of its machines: it knows the others, and forwards to them. */
  readonly machine: Machine;
  readonly images: ControlPlaneImages;
  /** What Talos they are to run. Undefined if it is managed elsewhere. */
  readonly talos?: MemberTalos | undefined;
  /** The Talos that a former run installed on them for its Kubernetes, if it did. */
  readonly installedTalos?: string | undefined;
  /**
   * Called before the first change, and again before the first change of Talos, with its release.
   * What fails before changed nothing. Default: nothing.
   */
  readonly begins?: (talosVersion?: string) => void;
  /** How long a machine must stay healthy after each change. */
  readonly settledSeconds: number;
  /** When to give up, in milliseconds since 1970. Changes of Talos have their own time. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Upgrades Kubernetes' control plane in the order of `talosctl upgrade-k8s`: the API servers
 * machine by machine, then the controller managers, then the schedulers. So no component is ever
 * newer than an API server. The next machine begins when the one before and etcd are healthy. The
 * next component begins when the API servers say themselves that they are upgraded, also those that
 * a former run has upgraded. Kubelets follow with the machines' own configurations. Back to an
 * older minor, it all goes the other way. Every newer kubelet is first, then come schedulers and
 * controller managers, and the API servers are last.
 *
 * The machines are those with an etcd member: a new machine starts with its own configuration. All
 * images are pulled first, so a missing image changes nothing. Machines whose running Talos doesn't
 * support the images get the declared one before, one after another; other machines get it with
 * their own configurations. The machines report what they run, so an interrupted upgrade can
 * continue. Clients that will fail cause a warning first. Source: Talos v1.12.1,
 * `pkg/cluster/kubernetes/talos_managed.go`.
 *
 * @throws Error that names each machine that can't have the images; nothing is changed then
 * @throws TalosApiError if an image can't be pulled, or a machine refuses
 * @throws WaitTimeoutError at the deadline, with the machine and what isn't healthy
 */
export async function upgradeControlPlane(upgrade: ControlPlaneUpgrade): Promise<void> {
  const { machine: first, images, talos, deadline, progress, begins } = upgrade;
  const talosVersion = talos && versionOf(talos);
  await awaitGate(first, deadline, progress);
  await warnOfRemovedApis(first, tagOf(images.apiServer), progress);
  const members = await readMembers(first);
  const waiting = membersOfOtherTalos(members, images, talosVersion);
  await Promise.all(members.map((member) => pullImages(member, images, progress)));
  const began = clock.now();
  await changeTalos(waiting, upgrade, () => begins?.(talosVersion));
  const later = { ...upgrade, deadline: deadline + clock.now() - began };
  begins?.();
  const goesBack = members.some(({ documents }) =>
    isNewerMinor(imageIn(documents, "apiServer"), images.apiServer),
  );
  if (goesBack) {
    await lowerKubelets({ ...later, machine: first, apiServer: images.apiServer });
  }
  for (const part of goesBack ? CONTROL_PLANE_PARTS.toReversed() : CONTROL_PLANE_PARTS) {
    for (const { machine } of members) {
      await upgradePart(part, machine, later);
    }
    if (part === "apiServer") {
      const nodes = members.map(({ machine }) => machine.node);
      await awaitApiServers(first, nodes, images.apiServer, later);
    }
  }
  const { installedTalos } = upgrade;
  if (installedTalos !== undefined && talosVersion !== undefined) {
    const left = membersLeftOn(await readMembers(first), installedTalos, talosVersion);
    await changeTalos(left, upgrade);
  }
}

/**
 * Changes the Talos of machines, one after another.
 *
 * @param begins called before each
 */
async function changeTalos(
  members: readonly ControlPlaneMember[],
  { talos, progress }: ControlPlaneUpgrade,
  begins?: () => void,
): Promise<void> {
  if (talos === undefined) {
    return;
  }
  for (const member of members) {
    begins?.();
    await changeMemberTalos(member, talos, progress);
  }
}

/**
 * Waits until etcd is healthy. The limit is shorter than the whole deadline, because a lost member
 * never recovers.
 */
function awaitGate(machine: Machine, deadline: number, progress: Progress): Promise<undefined> {
  return awaitEtcd(machine, Math.min(deadline, clock.now() + GATE_MS), progress);
}

async function pullImages(
  { machine, documents }: ControlPlaneMember,
  images: ControlPlaneImages,
  { report }: Progress,
): Promise<void> {
  await withMachine(machine, async (client) => {
    for (const part of CONTROL_PLANE_PARTS.filter(
      (each) => imageIn(documents, each) !== images[each],
    )) {
      report(`machine ${machine.node}: pulls ${images[part]}`);
      await client.imagePull({ namespace: "kubernetes", reference: images[part] });
    }
  });
}

async function upgradePart(
  part: ControlPlanePart,
  machine: Machine,
  { images, settledSeconds, deadline, progress }: Omit<ControlPlaneUpgrade, "machine">,
): Promise<void> {
  const image = images[part];
  const before = await withMachine(machine, (client) => readMachineConfig(client, "v1alpha1"));
  const documents = decodeDocuments(before ?? "");
  if (imageIn(documents, part) === image) {
    // An interrupted run may have stopped before the machine was healthy.
    await awaitHealthy({ machine, settledSeconds: 0, wasUp: true, deadline, progress });
    return;
  }
  await awaitGate(machine, deadline, progress);
  progress.report(`machine ${machine.node}: changes ${part} to ${image}`);
  const change = { machine, documents, images: [[imageOfPart(part), image]] as const };
  await changeImages({ ...change, settledSeconds, deadline, progress });
}
