import type { ConfigProblem } from "../configError";
import type { ConfigDocument } from "../machineConfig";
import { isCidr } from "../schema/formats";
import { describePorts, MachineFirewall, type PortUse } from "./machineFirewall";

/** The Talos API of every machine. */
const TALOS_API: PortUse = {
  first: 50_000,
  protocol: "tcp",
  rule: "apid-ingress",
  use: "the Talos API, by which this package and talosctl reach the machine",
};

/** Kubernetes' own access to a machine, for `logs`, `exec` and metrics. */
const KUBELET: PortUse = {
  first: 10_250,
  protocol: "tcp",
  rule: "kubelet-ingress",
  use: "the kubelet, from which the API server takes logs, exec and metrics",
};

const TRUSTD: PortUse = {
  first: 50_001,
  protocol: "tcp",
  rule: "trustd-ingress",
  use: "trustd, from which workers get the certificate of their Talos API",
};

const ETCD: PortUse = {
  first: 2_379,
  last: 2_380,
  protocol: "tcp",
  rule: "etcd-ingress",
  use: "etcd, whose members are on the other control planes",
};

const KUBE_SPAN: PortUse = {
  first: 51_820,
  protocol: "udp",
  rule: "kubespan-ingress",
  use: "KubeSpan, by which the machines reach each other",
};

/** Port of flannel as Talos deploys it, and the one of flannel itself. */
const FLANNEL_PORT = 4_789;

/**
 * What pod networks other than Talos' flannel carry packets on: VXLAN of Cilium and of others, Geneve,
 * WireGuard of Cilium and of Calico, BGP. Sources: the lists of ports in Cilium's and Calico's docs.
 */
const OTHER_POD_NETWORKS: readonly PortUse[] = (
  [
    ["udp", 8_472],
    ["udp", FLANNEL_PORT],
    ["udp", 6_081],
    ["udp", 51_871],
    ["udp", 51_820],
    ["tcp", 179],
  ] as const
).map(([protocol, first]) => ({ protocol, first, rule: "cni-ingress", use: "the pod network" }));

/**
 * Ports that a machine needs, and that its own firewall lets nobody in at. Talos takes such a
 * configuration, and the machine can't be reached any more, not even to take it back.
 *
 * Without a rule, Talos lets in: loopback, SideroLink and KubeSpan; replies; ICMP, and packets of pods
 * and services to each other. So ports between machines are open where KubeSpan carries them. Sources:
 * `NfTablesChainConfigController`, Talos v1.12.1 to v1.14.1; ports: pkg/machinery/constants.
 */
export function firewallProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  const firewall = MachineFirewall.of(documents, talosMinor);
  return firewall === undefined ? [] : closed(firewall, neededPorts(firewall));
}

/** The same of etcd's ports, which only a cluster with several control planes needs. */
export function etcdFirewallProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  const firewall = MachineFirewall.of(documents, talosMinor);
  const isNeeded = firewall?.isControlPlane === true && !firewall.hasKubeSpan;
  return isNeeded ? closed(firewall, [ETCD]) : [];
}

/**
 * Warnings about ports that a machine's firewall closes, and that the cluster may do without: those of
 * the pod network and of KubeSpan, and of etcd where the number of control planes isn't known.
 */
export function firewallWarnings(
  documents: readonly ConfigDocument[],
  talosMinor: number,
  controlPlaneCount: number | undefined,
): string[] {
  const firewall = MachineFirewall.of(documents, talosMinor);
  if (firewall === undefined) {
    return [];
  }
  const ofEtcd = controlPlaneCount === undefined ? etcdFirewallProblems(documents, talosMinor) : [];
  return [
    ...ofEtcd,
    ...(firewall.hasKubeSpan
      ? closed(firewall, [KUBE_SPAN])
      : closed(firewall, podNetworkPorts(firewall))),
  ].map(({ document, path, message }) => `${document}: ${path}: ${message}`);
}

/** Who has to come in at a port of a machine. */
export interface FirewallSource {
  /** A port or a range, with its protocol: `50000/tcp`, `2379-2380/tcp`. */
  readonly ports: string;
  /** In CIDR notation. */
  readonly networks: readonly string[];
  /** Who that is, and for what: `Talos API: operators`. */
  readonly use: string;
}

/**
 * What a machine's own firewall keeps out, of those who have to come in. Ports that are closed to all are
 * reported by `firewallProblems`.
 *
 * @returns a message for each port and network
 */
export function keptOut(
  documents: readonly ConfigDocument[],
  talosMinor: number,
  sources: readonly FirewallSource[],
): string[] {
  const firewall = MachineFirewall.of(documents, talosMinor);
  const messages = sources.flatMap(({ ports, networks, use }) => {
    const [range = "", name] = ports.split("/");
    const protocol = name === "udp" ? "udp" : "tcp";
    const [first = 0, last = first] = range.split("-").map(Number);
    const port: PortUse = { first, last, protocol, rule: "", use };
    const isJudged = firewall !== undefined && firewall.closedBy(port) === undefined;
    return networks
      .filter((network) => isCidr(network) && isJudged && firewall.keepsOut(port, network))
      .map((network): [string, string] => [
        `${describePorts(port)} is closed to ${network} or a part of it`,
        `(${use}): add {subnet: ${network}} to the rule of this port`,
      ]);
  });
  // Of several who come from one network, the last is named.
  return [...new Map(messages)].map((parts) => `NetworkRuleConfig: ${parts.join(" ")}`);
}

function neededPorts({ config, isControlPlane, hasKubeSpan }: MachineFirewall) {
  const kubeletPort = portOf(config.get("machine", "kubelet", "extraArgs", "port"));
  const apiPort = portOf(config.get("cluster", "controlPlane", "localAPIServerPort"));
  const api: PortUse = {
    first: apiPort ?? 6_443,
    protocol: "tcp",
    rule: "kubernetes-api-ingress",
    use: "the Kubernetes API, which nodes, pods and kubectl use",
  };
  return [
    TALOS_API,
    ...(isControlPlane ? [api] : []),
    ...(hasKubeSpan ? [] : [{ ...KUBELET, first: kubeletPort ?? KUBELET.first }]),
    ...(isControlPlane && !hasKubeSpan ? [TRUSTD] : []),
  ];
}

/** What the pod network needs, as far as the configuration says which it is. */
function podNetworkPorts(firewall: MachineFirewall): readonly PortUse[] {
  const { config, isControlPlane, documentOf } = firewall;
  const document = documentOf("KubeFlannelCNIConfig");
  const backend = document?.text("backendType") ?? "vxlan";
  const name = config.text("cluster", "network", "cni", "name");
  const usesFlannel = document !== undefined || (name ?? "flannel") === "flannel";
  if (usesFlannel && backend !== "vxlan") {
    // The other ways of flannel have ports of their own, or none.
    return [];
  }
  const flannel: PortUse = {
    first: portOf(document?.get("backendPort")) ?? FLANNEL_PORT,
    protocol: "udp",
    rule: "cni-ingress",
    use: "VXLAN of flannel, which carries packets between pods",
  };
  // A worker's configuration need not name the network.
  if (usesFlannel && (isControlPlane || name !== undefined)) {
    return [flannel];
  }
  if (OTHER_POD_NETWORKS.some((each) => firewall.closedBy(each) === undefined)) {
    return [];
  }
  const use =
    "VXLAN of Cilium; another pod network has other ports to carry packets between pods, or none";
  return [usesFlannel ? flannel : { ...flannel, first: 8_472, use }];
}

function portOf(value: unknown): number | undefined {
  const port = typeof value === "string" ? Number(value) : value;
  return typeof port === "number" && Number.isInteger(port) && port > 0 ? port : undefined;
}

function closed(firewall: MachineFirewall, uses: readonly PortUse[]): ConfigProblem[] {
  return uses.flatMap((use) => {
    const rule = firewall.closedBy(use);
    const ports = describePorts(use);
    if (rule === undefined) {
      return [];
    }
    const { first, last = first, protocol, rule: name } = use;
    const document = `{apiVersion: v1alpha1, kind: NetworkRuleConfig, name: ${name}, portSelector: {ports: [${first === last ? first : `${first}-${last}`}], protocol: ${protocol}}, ingress: [{subnet: 10.0.0.0/8}]}`;
    return rule === "default"
      ? {
          document: "NetworkDefaultActionConfig",
          path: "ingress",
          message: `"block" closes ${ports} (${use.use}): add the document ${document} with the networks that may come in`,
        }
      : {
          document: rule,
          path: "ingress",
          message: `lets nobody in but the machine itself, so ${ports} is closed (${use.use}): name the networks that may come in, like {subnet: 10.0.0.0/8}`,
        };
  });
}
