import type { EtcdMember } from "../../api/etcdCalls";
import type { KubernetesNode } from "../../kubernetes/node";
import { peerAddresses } from "./etcdPeers";

/** A machine that discovery, etcd or Kubernetes names. */
export interface NamedMachine {
  /** For people: its host name or its name in Kubernetes. */
  readonly name: string;
  /** Its name in Kubernetes; undefined if it isn't known. */
  readonly nodename: string | undefined;
  /** Its addresses inside the network. */
  readonly addresses: readonly string[];
  readonly isControlPlane: boolean;
}

/** A Kubernetes node, as far as it names a machine. */
type RegisteredNode = Pick<KubernetesNode, "name" | "addresses" | "isControlPlane"> &
  Partial<Pick<KubernetesNode, "labels">>;

/**
 * What decides which machines a cluster has: etcd and Kubernetes have a machine until it is removed
 * there. Discovery doesn't decide: it remembers a machine for half an hour after its last report
 * (Talos v1.12.1, `defaultDiscoveryTTL`). Undefined: it didn't answer.
 */
export interface MemberRegisters {
  readonly etcd: readonly EtcdMember[] | undefined;
  readonly nodes: readonly RegisteredNode[] | undefined;
}

/**
 * Every machine that discovery, Kubernetes or etcd names, once. One without an address can't be asked,
 * and is left out. Discovery is never the only source. It reports no machine if it is off, and only
 * one of two with the same node name (Talos v1.12.1, `cluster.MemberController`). Pure.
 */
export function namedMachines(
  discovered: readonly NamedMachine[],
  { nodes = [], etcd = [] }: MemberRegisters,
): readonly NamedMachine[] {
  const all = [...discovered, ...nodes.map(machineOfNode), ...etcd.map(machineOfMember)];
  const taken = new Set<string>();
  return all.filter(({ addresses }) => {
    const isNew = addresses.length > 0 && !addresses.some((each) => taken.has(each));
    addresses.forEach((each) => taken.add(each));
    return isNew;
  });
}

function machineOfNode({ name, addresses, isControlPlane }: RegisteredNode): NamedMachine {
  return { name, nodename: name, addresses, isControlPlane };
}

function machineOfMember(member: EtcdMember): NamedMachine {
  const { hostname: name } = member;
  return { name, nodename: undefined, addresses: peerAddresses(member), isControlPlane: true };
}

/** The member of etcd at one of a machine's addresses. Pure. */
export function etcdMemberOf(
  { addresses }: Pick<NamedMachine, "addresses">,
  { etcd = [] }: Pick<MemberRegisters, "etcd">,
): EtcdMember | undefined {
  return etcd.find((member) => peerAddresses(member).some((each) => addresses.includes(each)));
}

/**
 * The Kubernetes node of a machine, by its addresses, as its name may be that of its successor. A
 * node that has no address yet is found by its name. Pure.
 */
export function nodeOf(
  { nodename, addresses }: Pick<NamedMachine, "nodename" | "addresses">,
  { nodes = [] }: Pick<MemberRegisters, "nodes">,
): RegisteredNode | undefined {
  return nodes.find((node) =>
    node.addresses.length === 0
      ? node.name === nodename
      : node.addresses.some((each) => addresses.includes(each)),
  );
}

/** The label of nodes that Karpenter launched, with the name of their pool (sigs.k8s.io/karpenter v1.15.0, `pkg/apis/v1/labels.go`). */
const NODE_POOL_LABEL = "karpenter.sh/nodepool";

/** The pool of Karpenter that launched a machine; undefined for any other machine. Pure. */
export function nodePoolOf(
  machine: Pick<NamedMachine, "nodename" | "addresses">,
  registers: MemberRegisters,
): string | undefined {
  return nodeOf(machine, registers)?.labels?.[NODE_POOL_LABEL];
}

/**
 * Whether discovery only remembers a silent machine: every register that could have it answered, and
 * none has it. Pure.
 */
export function isOnlyRemembered(machine: NamedMachine, registers: MemberRegisters): boolean {
  const { etcd, nodes } = registers;
  const haveAnswered = nodes !== undefined && (etcd !== undefined || !machine.isControlPlane);
  return (
    haveAnswered &&
    etcdMemberOf(machine, registers) === undefined &&
    nodeOf(machine, registers) === undefined
  );
}
