import type { CallOptions, TalosClient } from "../../api/talosClient";
import { talosResources } from "../../api/talosResources";
import { KubernetesAccess } from "../kubernetes/kubernetesAccess";
import { listNodes } from "../kubernetes/kubernetesNode";
import { type Machine, withMachine } from "../machine";
import type { MemberRegisters, NamedMachine } from "./memberRegisters";

/** How long etcd and Kubernetes may take to answer. */
const LOOK_TIMEOUT_MS = 10_000;

/**
 * The machines that a machine has discovered, including ones that are gone for up to half an hour.
 *
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function readDiscovered(
  client: TalosClient,
  call: CallOptions = {},
): Promise<readonly NamedMachine[]> {
  const members = await client.listTyped(talosResources.member, call);
  return members.map(({ id, spec: { hostname: name, nodeType, addresses } }) => ({
    name,
    nodename: id,
    addresses,
    isControlPlane: nodeType !== "worker",
  }));
}

/**
 * Asks etcd and Kubernetes for their members. One that doesn't answer or refuses is undefined.
 *
 * @param machine a control plane machine
 */
export async function readRegisters(machine: Machine): Promise<MemberRegisters> {
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  const [etcd, nodes] = await Promise.allSettled([
    withMachine(machine, (client) => client.etcdMembers({ signal })),
    KubernetesAccess.open([machine], signal).then((access) => listNodes(access, signal)),
  ]);
  return {
    etcd: etcd.status === "fulfilled" ? etcd.value : undefined,
    nodes: nodes.status === "fulfilled" ? nodes.value : undefined,
  };
}
