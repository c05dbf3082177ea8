import { clock } from "../clock";
import { decodeDocuments, encodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import { type ConfigDocument, isMapping, textAt } from "../config/machineConfig";
import { applyPatches } from "../config/patch";
import type { Progress } from "../progress";
import { awaitEtcd } from "./awaitEtcd";
import { awaitWell } from "./awaitWell";
import { awaitConfiguration, deliverConfiguration } from "./deliverConfiguration";
import { peerAddresses } from "./etcdPeers";
import { type Machine, withMachine } from "./machine";
import { readMachineConfig } from "./machineConfigs";
import { warnOfRemovedApis } from "./warnOfRemovedApis";

/** How long etcd may take to become healthy before a machine changes. */
const GATE_MS = 600_000;

/** The components of Kubernetes' control plane, in the order of their upgrade. */
const CONTROL_PLANE_PARTS = ["apiServer", "controllerManager", "scheduler"] as const;

/** A component of Kubernetes' control plane, as in Talos' configuration. */
export type ControlPlanePart = (typeof CONTROL_PLANE_PARTS)[number];

/** The image of each component. */
export type ControlPlaneImages = Readonly<Record<ControlPlanePart, string>>;

/** A control plane that gets another Kubernetes. */
export interface ControlPlaneUpgrade {
  /** One of its machines: it knows the others, and forwards to them. */
  readonly machine: Machine;
  readonly images: ControlPlaneImages;
  /** How long a machine must stay healthy after each change. */
  readonly settledSeconds: number;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Upgrades Kubernetes' control plane in the order of `talosctl upgrade-k8s`: the API servers
 * machine by machine, then the controller managers, then the schedulers. So no component is ever
 * newer than an API server. The next machine begins when the one before and etcd are healthy.
 * Kubelets follow with the machines' own configurations.
 *
 * The machines are those with an etcd member: a new machine starts with its own configuration. All
 * images are pulled first, so a missing image changes nothing. The machines report what they run,
 * so an interrupted upgrade can continue. Clients that will fail cause a warning first. Source:
 * Talos v1.12.1, `pkg/cluster/kubernetes/talos_managed.go`.
 *
 * @throws TalosApiError if an image can't be pulled, or a machine refuses
 * @throws WaitTimeoutError at the deadline, with the machine and what isn't healthy
 */
export async function upgradeControlPlane(upgrade: ControlPlaneUpgrade): Promise<void> {
  const { machine: first, images, deadline, progress } = upgrade;
  await awaitGate(first, deadline, progress);
  await warnOfRemovedApis(first, tagOf(images.apiServer), progress);
  const machines = await membersOf(first);
  await Promise.all(machines.map((machine) => pullImages(machine, images, progress)));
  for (const part of CONTROL_PLANE_PARTS) {
    for (const machine of machines) {
      await upgradePart(part, machine, upgrade);
    }
  }
}

/**
 * Waits until etcd is healthy. The limit is shorter than the whole deadline, because a lost member
 * never recovers.
 */
function awaitGate(machine: Machine, deadline: number, progress: Progress): Promise<undefined> {
  return awaitEtcd(machine, Math.min(deadline, clock.now() + GATE_MS), progress);
}

/** The machines of etcd's members, in a stable order. */
async function membersOf(machine: Machine): Promise<Machine[]> {
  const { endpoint, credentials } = machine;
  const members = await withMachine(machine, (client) => client.etcdMembers());
  return members
    .flatMap((member) => peerAddresses(member).slice(0, 1))
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    .map((node) => ({ node, endpoint, credentials }));
}

async function pullImages(
  machine: Machine,
  images: ControlPlaneImages,
  { report }: Progress,
): Promise<void> {
  await withMachine(machine, async (client) => {
    const documents = decodeDocuments((await readMachineConfig(client, "v1alpha1")) ?? "");
    for (const part of CONTROL_PLANE_PARTS.filter(
      (each) => imageOf(documents, each) !== images[each],
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
  if (imageOf(documents, part) === image) {
    // An interrupted run may have stopped before the machine was healthy.
    await awaitWell({ machine, settledSeconds: 0, wasUp: true, deadline, progress });
    return;
  }
  await awaitGate(machine, deadline, progress);
  progress.report(`machine ${machine.node}: changes ${part} to ${image}`);
  const patched = applyPatches(documents, [{ cluster: { [part]: { image } } }]);
  const text = encodeDocuments(patched);
  const delivery = {
    ...{ machine, text, hash: hashDocuments(patched) },
    ...{ mode: "noReboot" as const, deadline, progress },
  };
  const acceptance = await deliverConfiguration(delivery);
  await awaitConfiguration(delivery, acceptance);
  const { missingBefore } = acceptance;
  await awaitWell({ machine, settledSeconds, wasUp: true, missingBefore, deadline, progress });
}

/** The tag of an image; empty where it has none. */
function tagOf(image: string): string {
  return /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1] ?? "";
}

/** The image of a component in a configuration; undefined if Talos chooses it. */
function imageOf(documents: readonly ConfigDocument[], part: ControlPlanePart): string | undefined {
  const cluster = documents.map((document) => document.cluster).find(isMapping);
  return cluster && textAt(cluster[part], "image");
}

/** The images in a control plane machine's configuration or outline, if it names all of them. */
export function imagesOf(document: ConfigDocument): ControlPlaneImages | undefined {
  const [apiServer, controllerManager, scheduler] = CONTROL_PLANE_PARTS.map((part) =>
    imageOf([document], part),
  );
  return apiServer === undefined || controllerManager === undefined || scheduler === undefined
    ? undefined
    : { apiServer, controllerManager, scheduler };
}
