import type { NodeState } from "./nodeState";
import { apidPort, apiServerPort, trustdPort } from "./ports";
import { pidOf } from "./serviceCatalog";

/** A TCP socket of a node. */
export interface NodeSocket {
  readonly protocol: "tcp" | "tcp6";
  readonly localAddress: string;
  readonly localPort: number;
  /** Port 0 for listening sockets. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly program: string;
  readonly pid: number;
}

const EVERYWHERE = "::";
const LOOPBACK = "127.0.0.1";
/** The ports of etcd for clients and members. */
const etcdPorts = [2379, 2380];
/** The first ephemeral port of Linux. */
const FIRST_FREE_PORT = 32768;

/**
 * The ports of services and static pods (documentation of Kubernetes and Talos, ports and
 * protocols).
 */
const listeners: readonly [program: string, address: string, port: number][] = [
  ["apid", EVERYWHERE, apidPort],
  ["trustd", EVERYWHERE, trustdPort],
  ["kubelet", EVERYWHERE, 10250],
  ["kubelet", LOOPBACK, 10248],
  ["kube-apiserver", EVERYWHERE, apiServerPort],
  ["kube-controller-manager", LOOPBACK, 10257],
  ["kube-scheduler", LOOPBACK, 10259],
  ["kube-proxy", LOOPBACK, 10249],
  ["kube-proxy", EVERYWHERE, 10256],
];

/** Listening sockets, and etcd's connections to other members. */
export function socketsOf(node: NodeState): NodeSocket[] {
  const running = new Set([
    ...node.services.list().flatMap(({ id, state }) => (state === "Running" ? [id] : [])),
    ...node.pods.map(({ app }) => app),
  ]);
  const { privateAddress } = node.hardware;
  const listening = [
    ...listeners.filter(([program]) => running.has(program)),
    ...(running.has("etcd")
      ? etcdPorts.map((port) => ["etcd", privateAddress, port] as const)
      : []),
  ].map(([program, localAddress, localPort]) => ({
    protocol: protocolOf(localAddress),
    localAddress,
    localPort,
    remoteAddress: localAddress === EVERYWHERE ? EVERYWHERE : "0.0.0.0",
    remotePort: 0,
    program,
    pid: pidOf(program),
  }));
  return [...listening, ...etcdConnections(node)];
}

function etcdConnections(node: NodeState): NodeSocket[] {
  const { membership } = node.etcd ?? {};
  if (!membership) {
    return [];
  }
  return membership.cluster.members
    .filter(({ id, isRunning }) => id !== membership.member.id && isRunning)
    .map(({ peerUrl }, index) => {
      const { hostname, port } = new URL(peerUrl);
      return {
        protocol: protocolOf(hostname),
        localAddress: node.hardware.privateAddress,
        localPort: FIRST_FREE_PORT + index,
        remoteAddress: hostname,
        remotePort: Number(port),
        program: "etcd",
        pid: pidOf("etcd"),
      };
    });
}

function protocolOf(address: string): "tcp" | "tcp6" {
  return address.includes(":") ? "tcp6" : "tcp";
}
