import { judgeKubernetesPath } from "../../config/kubernetesPath";
import type { ConfigDocument } from "../../config/machineConfig";
import { orderReleases, runsKubernetes } from "../../config/releases/releaseOrder";
import { installedSystem, type TalosSystem, upgradePathProblem } from "../../config/talosSystem";
import { decodeDocuments } from "../../config/yaml/encode";
import { readMachineConfig } from "../delivery/machineConfigs";
import { peerAddresses } from "../etcd/etcdPeers";
import { type Machine, withMachine } from "../machine";
import { type ControlPlaneImages, imageIn, tagOf } from "./controlPlaneImages";
import { readSystem } from "./upgradeMachine";

/** A control plane machine, and what it runs. */
export interface ControlPlaneMember {
  readonly machine: Machine;
  /** Its running Talos. */
  readonly system: TalosSystem;
  /** Its active configuration. Secret. */
  readonly documents: readonly ConfigDocument[];
}

/**
 * Asks the machines of etcd's members what they run, in a stable order.
 *
 * @throws TalosApiError if one doesn't answer
 */
export async function readMembers(machine: Machine): Promise<ControlPlaneMember[]> {
  const { endpoint, credentials } = machine;
  const members = await withMachine(machine, (client) => client.etcdMembers());
  const nodes = members
    .flatMap((member) => peerAddresses(member).slice(0, 1))
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return Promise.all(nodes.map((node) => readMember({ node, endpoint, credentials })));
}

async function readMember(machine: Machine): Promise<ControlPlaneMember> {
  const [system, text] = await withMachine(machine, (client) =>
    Promise.all([readSystem(client), readMachineConfig(client, "v1alpha1")]),
  );
  return { machine, system, documents: decodeDocuments(text ?? "") };
}

/**
 * The machines that need another Talos before they can have these images. A machine refuses images
 * that its running Talos doesn't support, whatever its installer says.
 *
 * @param talosVersion what the machines are to run; undefined if their Talos is managed elsewhere
 * @throws Error that names each machine that can't have the images, and why. Nothing is changed then
 */
export function membersOfOtherTalos(
  members: readonly ControlPlaneMember[],
  images: ControlPlaneImages,
  talosVersion: string | undefined,
): ControlPlaneMember[] {
  const verdicts = members.map((member) => ({ member, ...judge(member, images, talosVersion) }));
  const problems = verdicts.flatMap(({ member: { machine }, problem }) =>
    problem === undefined ? [] : [`machine ${machine.node}: ${problem}`],
  );
  if (problems.length > 0) {
    throw new Error(`no machine was changed: ${problems.join("; ")}`);
  }
  return verdicts.filter(({ needsTalos }) => needsTalos).map(({ member }) => member);
}

function judge(
  { system, documents }: ControlPlaneMember,
  images: ControlPlaneImages,
  talosVersion: string | undefined,
): { readonly problem?: string | undefined; readonly needsTalos?: boolean } {
  const before = imageIn(documents, "apiServer") ?? "";
  const [from, to] = [before, images.apiServer].map((image) => ({
    cluster: { apiServer: { image } },
  }));
  const path = from && to && judgeKubernetesPath(from, to).problem;
  if (path !== undefined) {
    return { problem: path };
  }
  const kubernetes = tagOf(images.apiServer);
  if (runsKubernetes(system.version, kubernetes)) {
    return {};
  }
  if (talosVersion === undefined || talosVersion === system.version) {
    const problem = `it runs Talos ${system.version}, which does not run Kubernetes ${kubernetes}: upgrade its Talos, then run the command again`;
    return { problem };
  }
  const order = orderReleases(
    { talos: system.version, kubernetes: tagOf(before) },
    { talos: talosVersion, kubernetes },
  );
  const problem =
    "refusal" in order ? order.refusal : upgradePathProblem(system.version, talosVersion);
  return problem === undefined ? { needsTalos: true } : { problem };
}

/**
 * The machines that still run a Talos which an unfinished upgrade of Kubernetes installed, and whose
 * own configuration already names the declared one. No other resource knows that they differ.
 *
 * @param installed the Talos that was installed
 * @param talosVersion what the machines are to run
 */
export function membersLeftOn(
  members: readonly ControlPlaneMember[],
  installed: string,
  talosVersion: string,
): ControlPlaneMember[] {
  return members.filter(
    ({ system, documents }) =>
      system.version === installed &&
      installed !== talosVersion &&
      installedSystem(documents)?.version === talosVersion,
  );
}
