import type * as pulumi from "@pulumi/pulumi";
import { isIpv6 } from "../network/cidr";
import type { FirewallArgs, FirewallGroup, MonitoringTarget } from "./firewallArgs";
import { type FirewallPort, tcp, udp } from "./firewallPort";
import { POD_NETWORK_PORTS } from "./podNetworkPorts";

/** The peer of a rule: a group of the cluster, another group, or a range of addresses. */
export type FirewallPeer =
  | { readonly group: FirewallGroup }
  | { readonly securityGroupId: pulumi.Input<string> }
  | { readonly cidr: string }
  | { readonly ipv6Cidr: string };

/** One rule of one security group. */
export interface FirewallRule {
  /** Identifies the rule. It follows from the rule's content, never from its place in a list. */
  readonly key: string;
  readonly direction: "ingress" | "egress";
  readonly group: FirewallGroup;
  readonly peer: FirewallPeer;
  /** Undefined: everything. */
  readonly port: FirewallPort | undefined;
  /** Purpose of the rule, in the characters that AWS allows. */
  readonly description: string;
}

/** The choices that decide the rules. */
export type FirewallChoices = {
  readonly [
    Key in keyof Omit<FirewallArgs, "clusterName" | "vpcId" | "operatorCidrs" | "adopt" | "tags">
  ]: FirewallArgs[Key] | undefined;
} & Pick<FirewallArgs, "operatorCidrs">;

/** Every IPv4 address. */
const WORLD = "0.0.0.0/0";
const WORLD_IPV6 = "::/0";

/** The Kubernetes API server. */
export const KUBERNETES_API_PORT = 6443;
const KUBERNETES_API = tcp(KUBERNETES_API_PORT);
/** apid, Talos' API. */
const TALOS_API = tcp(50000);
/** trustd, which signs the certificates of machines that join. */
const TALOS_TRUST = tcp(50001);
/** etcd's clients and peers. */
const ETCD = tcp(2379, 2380);
/** etcd's health and metrics over HTTPS, from Talos v1.14 on (`constants.EtcdClientHTTPPort`). */
const ETCD_HTTP = tcp(2383);
const KUBELET = tcp(10250);
const CONTROLLER_MANAGER = tcp(10257);
const SCHEDULER = tcp(10259);
/** etcd's metrics, without TLS, where it listens for them (`listen-metrics-urls`). */
const ETCD_METRICS = tcp(2381);
/** Without TLS too, where it listens on the machine's address (`metrics-bind-address`). */
const KUBE_PROXY = tcp(10249);
const NODE_EXPORTER = tcp(9100);
/** Metrics of Cilium's agents, its operator, its proxy and Hubble. */
const CILIUM = tcp(9962, 9965);
/** Cilium's WireGuard. */
const CILIUM_WIRE_GUARD = udp(51871);
/** KubeSpan's WireGuard port, which Talos can't change. */
const KUBESPAN = udp(51820);

/**
 * Ports that lead to machines and keys, or tell what is on a machine to whoever asks. Extra rules never open them to the
 * world, and no load balancer in front of a pool leads there.
 */
export const GUARDED_PORTS = [
  TALOS_API,
  TALOS_TRUST,
  ETCD,
  ETCD_METRICS,
  ETCD_HTTP,
  KUBELET,
  KUBERNETES_API,
  CONTROLLER_MANAGER,
  SCHEDULER,
  KUBE_PROXY,
  NODE_EXPORTER,
  CILIUM,
];

/** A port that tells metrics. */
interface MonitoredPort {
  readonly group: FirewallGroup;
  readonly port: FirewallPort;
  readonly what: string;
}

const OF_CONTROLLER_MANAGER: MonitoredPort = {
  group: "controlPlane",
  port: CONTROLLER_MANAGER,
  what: "controller manager",
};
const OF_SCHEDULER: MonitoredPort = { group: "controlPlane", port: SCHEDULER, what: "scheduler" };
const OF_ETCD: MonitoredPort = { group: "controlPlane", port: ETCD_METRICS, what: "etcd" };

/** The group and port of each source of metrics. */
const MONITORED: Readonly<Record<string, readonly MonitoredPort[] | undefined>> = {
  kubelet: [
    { group: "controlPlane", port: KUBELET, what: "kubelet" },
    { group: "worker", port: KUBELET, what: "kubelet" },
  ],
  controlPlane: [
    OF_CONTROLLER_MANAGER,
    OF_SCHEDULER,
    OF_ETCD,
    { group: "controlPlane", port: ETCD_HTTP, what: "etcd, Talos v1.14" },
  ],
  nodeExporter: [
    { group: "controlPlane", port: NODE_EXPORTER, what: "node exporter" },
    { group: "worker", port: NODE_EXPORTER, what: "node exporter" },
  ],
  cilium: [
    { group: "controlPlane", port: CILIUM, what: "Cilium" },
    { group: "worker", port: CILIUM, what: "Cilium" },
  ],
  controllerManager: [OF_CONTROLLER_MANAGER],
  scheduler: [OF_SCHEDULER],
  etcd: [OF_ETCD],
  kubeProxy: [
    { group: "controlPlane", port: KUBE_PROXY, what: "kube-proxy" },
    { group: "worker", port: KUBE_PROXY, what: "kube-proxy" },
  ],
} satisfies Record<MonitoringTarget, readonly MonitoredPort[]>;

/** The part of a rule's key for each group. */
const GROUP_KEYS: Readonly<Record<FirewallGroup, string>> = {
  controlPlane: "control-plane",
  worker: "worker",
  loadBalancer: "load-balancer",
};

const MACHINES = ["controlPlane", "worker"] as const satisfies readonly FirewallGroup[];

/**
 * All rules of the three groups. Everything else is closed. A word that `checkFirewall` refuses opens
 * nothing, so the rules can be planned before the check.
 */
export function planFirewallRules(choices: FirewallChoices): FirewallRule[] {
  return [
    ...planCore(),
    ...planTalosApi(choices),
    ...planKubernetesApi(choices),
    ...planBetweenMachines(choices),
    ...planMonitoring(choices),
    ...planExtraRules(choices),
    ...planEgress(choices),
  ];
}

/** The rules that every cluster needs. */
function planCore(): FirewallRule[] {
  const { controlPlane, worker } = groups;
  return [
    ingress("controlPlane", KUBERNETES_API, controlPlane, "Kubernetes API: control planes"),
    ingress("controlPlane", KUBERNETES_API, worker, "Kubernetes API: workers"),
    ingress("controlPlane", TALOS_API, controlPlane, "Talos API: forwarded by control planes"),
    ingress("worker", TALOS_API, controlPlane, "Talos API: forwarded by control planes"),
    ingress("controlPlane", TALOS_TRUST, controlPlane, "Talos trustd: joining control planes"),
    ingress("controlPlane", TALOS_TRUST, worker, "Talos trustd: joining workers"),
    ingress("controlPlane", ETCD, controlPlane, "etcd: its clients and members"),
    ingress("controlPlane", KUBELET, controlPlane, "kubelet: API servers"),
    ingress("worker", KUBELET, controlPlane, "kubelet: API servers"),
  ];
}

function planTalosApi(choices: FirewallChoices): FirewallRule[] {
  const throughLoadBalancer = choices.talosApiThroughLoadBalancer ?? false;
  const entrance = throughLoadBalancer ? "loadBalancer" : "controlPlane";
  return [
    ...choices.operatorCidrs.map((cidr) =>
      ingress(entrance, TALOS_API, rangePeer(cidr), "Talos API: operators"),
    ),
    ...(throughLoadBalancer ? passOn(TALOS_API, "Talos API") : []),
  ];
}

function planKubernetesApi(choices: FirewallChoices): FirewallRule[] {
  const { exposure = "public", kubernetesApiCidrs, operatorCidrs } = choices;
  const entrance = exposure === "direct" ? "controlPlane" : "loadBalancer";
  const clients =
    choices.allowWorldToKubernetesApi === true
      ? world(choices)
      : (kubernetesApiCidrs ?? operatorCidrs).map(rangePeer);
  // An internal load balancer sees the machines' private addresses, which their groups cover. A
  // public one sees their public addresses, which are known only when the machines exist.
  const seesMachines = exposure === "internal" || exposure === "both";
  return [
    ...clients.map((peer) => ingress(entrance, KUBERNETES_API, peer, "Kubernetes API: clients")),
    ...(seesMachines
      ? MACHINES.map((group) =>
          ingress("loadBalancer", KUBERNETES_API, { group }, "Kubernetes API: machines"),
        )
      : []),
    ...(exposure === "direct" ? [] : passOn(KUBERNETES_API, "Kubernetes API")),
  ];
}

function planBetweenMachines(choices: FirewallChoices): FirewallRule[] {
  const { cni = "flannel", kubeSpan = false, kubeSpanCidrs = [] } = choices;
  const everywhere = (port: FirewallPort, description: string) =>
    MACHINES.flatMap((group) =>
      MACHINES.map((peer) => ingress(group, port, { group: peer }, description)),
    );
  const rules = [
    ...(POD_NETWORK_PORTS[cni] ?? []).flatMap(({ port, description }) =>
      everywhere(port, description),
    ),
    ...(choices.ciliumWireGuard === true
      ? everywhere(CILIUM_WIRE_GUARD, "Cilium: pod traffic (WireGuard)")
      : []),
  ];
  if (!kubeSpan) {
    return rules;
  }
  const elsewhere =
    choices.allowWorldToKubeSpan === true
      ? world(choices)
      : kubeSpanCidrs.map((cidr) => ({ cidr }));
  return [
    ...rules,
    ...everywhere(KUBESPAN, "KubeSpan (WireGuard): machines"),
    ...MACHINES.flatMap((group) =>
      elsewhere.map((peer) =>
        ingress(group, KUBESPAN, peer, "KubeSpan (WireGuard): machines elsewhere"),
      ),
    ),
  ];
}

function planMonitoring({ monitoring = [], monitoringFrom = {} }: FirewallChoices): FirewallRule[] {
  // Several sources may have the same port.
  const ports = new Set(monitoring.flatMap((target) => MONITORED[target] ?? []));
  return [...ports].flatMap(({ group, port, what }) => [
    ...MACHINES
      // Control planes always reach kubelets.
      .filter((peer) => !(port === KUBELET && peer === "controlPlane"))
      .map((peer) => ingress(group, port, { group: peer }, `Metrics of ${what}: monitoring`)),
    ...Object.entries(monitoringFrom).map(([name, peer]) => {
      const ofPeer = ingress(group, port, peer, `Metrics of ${what}: ${name}`);
      return { ...ofPeer, key: `${GROUP_KEYS[group]}-${portKey(port)}-from-metrics-${name}` };
    }),
  ]);
}

function planExtraRules(choices: FirewallChoices): FirewallRule[] {
  return Object.entries(choices.extraRules ?? {}).flatMap(
    ([name, { group, protocol, ports, from, description }]) => {
      const [first, last] = typeof ports === "number" ? [ports, ports] : [ports.from, ports.to];
      const port = { protocol, ports: { from: first, to: last } };
      const peers: readonly FirewallPeer[] = "world" in from ? world(choices) : [from];
      return peers.map((peer) => ({
        ...ingress(group, port, peer, description),
        key: "ipv6Cidr" in peer ? `extra-${name}-ipv6` : `extra-${name}`,
      }));
    },
  );
}

function planEgress(choices: FirewallChoices): FirewallRule[] {
  const description = "Images, time, names, discovery and what workloads call";
  return MACHINES.flatMap((group) =>
    world(choices).map((peer) => rule("egress", group, undefined, peer, description)),
  );
}

/** The rules for a port that the load balancer forwards to the control plane. */
function passOn(port: FirewallPort, what: string): FirewallRule[] {
  return [
    ingress("controlPlane", port, groups.loadBalancer, `${what}: load balancer`),
    rule("egress", "loadBalancer", port, groups.controlPlane, `${what} servers`),
  ];
}

const groups = {
  controlPlane: { group: "controlPlane" },
  worker: { group: "worker" },
  loadBalancer: { group: "loadBalancer" },
} as const satisfies Record<FirewallGroup, FirewallPeer>;

function world({ ipv6 = false }: FirewallChoices): FirewallPeer[] {
  return [{ cidr: WORLD }, ...(ipv6 ? [{ ipv6Cidr: WORLD_IPV6 }] : [])];
}

/** A range of IPv4 or IPv6 as the source of a rule. */
function rangePeer(range: string): FirewallPeer {
  return isIpv6(range) ? { ipv6Cidr: range } : { cidr: range };
}

function ingress(
  group: FirewallGroup,
  port: FirewallPort,
  peer: FirewallPeer,
  description: string,
): FirewallRule {
  return rule("ingress", group, port, peer, description);
}

function rule(
  direction: FirewallRule["direction"],
  group: FirewallGroup,
  port: FirewallPort | undefined,
  peer: FirewallPeer,
  description: string,
): FirewallRule {
  const preposition = direction === "ingress" ? "from" : "to";
  const key = `${GROUP_KEYS[group]}-${portKey(port)}-${preposition}-${peerKey(peer)}`;
  return { key, direction, group, peer, port, description };
}

function portKey(port: FirewallPort | undefined): string {
  if (port?.ports === undefined) {
    return port?.protocol ?? "all";
  }
  const { protocol, ports } = port;
  const single = protocol === "icmp" || ports.from === ports.to;
  return `${protocol}-${single ? ports.from : `${ports.from}-${ports.to}`}`;
}

function peerKey(peer: FirewallPeer): string {
  if ("group" in peer) {
    return GROUP_KEYS[peer.group];
  }
  if ("cidr" in peer) {
    return peer.cidr.replace("/", "-");
  }
  if ("ipv6Cidr" in peer) {
    return peer.ipv6Cidr === WORLD_IPV6 ? "any-ipv6" : peer.ipv6Cidr.replace(/[:/]/g, "-");
  }
  // Extra rules have their own names.
  return "group";
}
