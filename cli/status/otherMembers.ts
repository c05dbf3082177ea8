import type { EtcdMember } from "../../provider/api";
import type { KubernetesNode } from "../../provider/kubernetes";
import {
  etcdMemberOf,
  isOnlyRemembered,
  type MemberRegisters,
  type NamedMachine,
  namedMachines,
  nodeOf,
} from "../../provider/lifecycle";
import { said } from "../said";
import type { ClusterAccess, KnownMachine } from "./clusterAccess";
import type { MachineAnswer } from "./readMachine";

/** A machine that the stack doesn't list, and that discovery, etcd or Kubernetes names. */
export interface OtherMember extends NamedMachine {
  /** How to ask it. */
  readonly machine: KnownMachine;
}

/** What etcd and Kubernetes say of a cluster's machines; undefined where they don't answer. */
export interface StatusRegisters extends MemberRegisters {
  readonly nodes: readonly KubernetesNode[] | undefined;
}

/**
 * The machines that the stack doesn't list, each once. Pure.
 *
 * @param listed the addresses of those that it lists
 */
export function findOthers(
  listed: readonly string[],
  discovered: readonly NamedMachine[],
  registers: StatusRegisters,
): readonly OtherMember[] {
  return namedMachines(discovered, registers)
    .filter(({ addresses }) => !addresses.some((each) => listed.includes(each)))
    .map((named) => ({ ...named, machine: toAsk(named) }));
}

function toAsk({ name, addresses: [address = ""], isControlPlane }: NamedMachine): KnownMachine {
  return {
    name,
    role: isControlPlane ? "controlplane" : "worker",
    zone: "",
    instanceId: "",
    publicAddress: "",
    privateAddress: address,
  };
}

/** Whether a machine that the stack doesn't list counts as a member of the cluster. Pure. */
export function isMember(
  other: OtherMember,
  answer: Pick<MachineAnswer, "stage">,
  registers: StatusRegisters,
): boolean {
  return answer.stage !== undefined || !isOnlyRemembered(other, registers);
}

/** The problems of a member that follow from the stack not listing it. Pure. */
export function problemsOfOther(
  other: OtherMember,
  { stage }: Pick<MachineAnswer, "stage">,
  registers: StatusRegisters,
  { unlisted, endpoints }: Pick<ClusterAccess, "unlisted" | "endpoints">,
): readonly string[] {
  if (stage !== undefined) {
    const isExpected = unlisted === "any" || (unlisted === "workers" && !other.isControlPlane);
    const [address = ""] = other.addresses;
    return said(
      !isExpected &&
        `it runs in the cluster, but isn't one of the stack's machines. If no "pulumi up" is in progress, take it out with "talosctl -n ${address} reset", then terminate its instance`,
    );
  }
  const member = etcdMemberOf(other, registers);
  const node = nodeOf(other, registers);
  return said(
    member &&
      `etcd counts it for its majority. If the machine is gone, remove its member with "talosctl -n ${endpoints[0] ?? ""} etcd remove-member ${hexadecimal(member)}"`,
    node &&
      `Kubernetes still has its node ${node.name}. If the machine is gone, run "kubectl delete node ${node.name}"`,
  );
}

/** A member's id as `talosctl` takes it. */
function hexadecimal({ id }: EtcdMember): string {
  return BigInt(id).toString(16);
}

/** Describes machines that discovery only remembers, for the notes of a status. Pure. */
export function describeRemembered(remembered: readonly OtherMember[]): readonly string[] {
  const names = remembered.map(({ machine }) => `${machine.name} (${machine.privateAddress})`);
  const isOne = names.length === 1;
  return said(
    names.length > 0 &&
      `discovery still remembers ${names.join(", ")}, for half an hour after ${isOne ? "it was" : "they were"} removed: ${isOne ? "it doesn't" : "they don't"} answer, and neither etcd nor Kubernetes has ${isOne ? "it" : "them"}`,
  );
}
