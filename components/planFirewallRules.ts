import { cidrProblem, parseCidr } from "./cidr";
import type { PropertyProblem } from "./problems";

/** Who a rule is about. */
export type FirewallGroup = "controlPlane" | "worker" | "loadBalancer";

/** The other end of a rule: another group, or a range of addresses. */
export type FirewallPeer = { readonly group: FirewallGroup } | { readonly cidr: string };

/** One rule of one security group. */
export interface FirewallRule {
  /** Names the rule; made of what it is about, never of its place in a list. */
  readonly key: string;
  readonly direction: "ingress" | "egress";
  readonly group: FirewallGroup;
  readonly peer: FirewallPeer;
  readonly protocol: "tcp" | "udp" | "all";
  /** First and last port; absent when the protocol is `all`. */
  readonly ports?: { readonly from: number; readonly to: number };
  /** Why it is there, in the characters that AWS allows. */
  readonly description: string;
}

/** What the rules follow from; `FirewallArgs` says what each means. */
export interface FirewallChoices {
  readonly operatorCidrs: readonly string[];
  /** Default: the operators' ranges. */
  readonly kubernetesApiCidrs?: readonly string[] | undefined;
  readonly allowWorldToKubernetesApi: boolean;
  readonly internalLoadBalancer: boolean;
}

/** A range with a shorter prefix is the world, or near enough, however it is split. */
const WORLD_PREFIX_LENGTH = 8;

interface Port {
  readonly protocol: "tcp" | "udp";
  readonly from: number;
  readonly to: number;
}

const port = (number: number, protocol: "tcp" | "udp" = "tcp"): Port => ({
  protocol,
  from: number,
  to: number,
});

/** The Kubernetes API server. */
export const KUBERNETES_API_PORT = 6443;
const KUBERNETES_API = port(KUBERNETES_API_PORT);
/** apid, Talos' API. */
const TALOS_API = port(50000);
/** trustd, which signs the certificates of machines that join. */
const TALOS_TRUST = port(50001);
/** etcd's clients and its members among themselves. */
const ETCD: Port = { protocol: "tcp", from: 2379, to: 2380 };
const KUBELET = port(10250);
/** Flannel's VXLAN as Talos configures it, not the port that Linux has by default. */
const FLANNEL = port(4789, "udp");

/** What goes into a rule's key for each group. */
const GROUP_KEYS: Readonly<Record<FirewallGroup, string>> = {
  controlPlane: "control-plane",
  worker: "worker",
  loadBalancer: "load-balancer",
};

/** All that is wrong with a firewall's choices. */
export function checkFirewall(choices: FirewallChoices): PropertyProblem[] {
  const { operatorCidrs, kubernetesApiCidrs = [], allowWorldToKubernetesApi } = choices;
  const problems = [
    ...checkCidrs(
      "operatorCidrs",
      operatorCidrs,
      "a machine that waits for its first configuration obeys whoever reaches it; name the ranges that operators come from",
    ),
    ...checkCidrs(
      "kubernetesApiCidrs",
      kubernetesApiCidrs,
      "name the ranges that clients come from, or leave this out and set allowWorldToKubernetesApi",
    ),
  ];
  if (operatorCidrs.length === 0) {
    const reason = `no range is given: name those from which "pulumi up" and talosctl reach the machines, for example ["203.0.113.7/32"]`;
    problems.push({ property: "operatorCidrs", reason });
  }
  if (allowWorldToKubernetesApi && kubernetesApiCidrs.length > 0) {
    const reason = `allowWorldToKubernetesApi lets everyone in, so the ranges in kubernetesApiCidrs mean nothing: leave out one of the two`;
    problems.push({ property: "allowWorldToKubernetesApi", reason });
  }
  return problems;
}

/** Every rule of the three groups: what is not listed here is closed. */
export function planFirewallRules(choices: FirewallChoices): FirewallRule[] {
  const ingress = (group: FirewallGroup, to: Port, peer: FirewallPeer, description: string) =>
    rule("ingress", group, to, peer, description);
  const { controlPlane, worker, loadBalancer } = groups;
  const machines = [controlPlane, worker];
  const rules = [
    ingress("controlPlane", KUBERNETES_API, loadBalancer, "Kubernetes API: load balancer"),
    ingress("controlPlane", KUBERNETES_API, controlPlane, "Kubernetes API: control planes"),
    ingress("controlPlane", KUBERNETES_API, worker, "Kubernetes API: workers"),
    ...choices.operatorCidrs.map((cidr) =>
      ingress("controlPlane", TALOS_API, { cidr }, "Talos API: operators"),
    ),
    ingress("controlPlane", TALOS_API, controlPlane, "Talos API: forwarded by control planes"),
    ingress("worker", TALOS_API, controlPlane, "Talos API: forwarded by control planes"),
    ingress("controlPlane", TALOS_TRUST, controlPlane, "Talos trustd: joining control planes"),
    ingress("controlPlane", TALOS_TRUST, worker, "Talos trustd: joining workers"),
    ingress("controlPlane", ETCD, controlPlane, "etcd: its clients and members"),
    ingress("controlPlane", KUBELET, controlPlane, "kubelet: API servers"),
    ingress("worker", KUBELET, controlPlane, "kubelet: API servers"),
    ...machines.flatMap(({ group }) =>
      machines.map((peer) => ingress(group, FLANNEL, peer, "Flannel: pod traffic (VXLAN)")),
    ),
    ...apiClients(choices).map((cidr) =>
      ingress("loadBalancer", KUBERNETES_API, { cidr }, "Kubernetes API: clients"),
    ),
    // An internal load balancer sees the machines' own addresses, which their groups stand for; a
    // public one sees their public addresses, which are known when the machines are.
    ...(choices.internalLoadBalancer
      ? machines.map((peer) =>
          ingress("loadBalancer", KUBERNETES_API, peer, "Kubernetes API: machines"),
        )
      : []),
    rule("egress", "loadBalancer", KUBERNETES_API, controlPlane, "Kubernetes API servers"),
    ...machines.map(({ group }): FirewallRule => {
      const description = "Images, time, names, discovery and what workloads call";
      return rule("egress", group, undefined, { cidr: "0.0.0.0/0" }, description);
    }),
  ];
  return rules;
}

const groups = {
  controlPlane: { group: "controlPlane" },
  worker: { group: "worker" },
  loadBalancer: { group: "loadBalancer" },
} as const satisfies Record<FirewallGroup, FirewallPeer>;

function apiClients(choices: FirewallChoices): readonly string[] {
  return choices.allowWorldToKubernetesApi
    ? ["0.0.0.0/0"]
    : (choices.kubernetesApiCidrs ?? choices.operatorCidrs);
}

function rule(
  direction: FirewallRule["direction"],
  group: FirewallGroup,
  ports: Port | undefined,
  peer: FirewallPeer,
  description: string,
): FirewallRule {
  const what =
    ports === undefined
      ? "all"
      : `${ports.protocol}-${ports.from === ports.to ? ports.from : `${ports.from}-${ports.to}`}`;
  const preposition = direction === "ingress" ? "from" : "to";
  const other = "group" in peer ? GROUP_KEYS[peer.group] : peer.cidr.replace("/", "-");
  return {
    key: `${GROUP_KEYS[group]}-${what}-${preposition}-${other}`,
    direction,
    group,
    peer,
    protocol: ports?.protocol ?? "all",
    ...(ports !== undefined && { ports: { from: ports.from, to: ports.to } }),
    description,
  };
}

function checkCidrs(
  property: string,
  cidrs: readonly string[],
  whyNotTheWorld: string,
): PropertyProblem[] {
  return cidrs.flatMap((cidr, index) => {
    const reason =
      cidrProblem(cidr) ??
      (parseCidr(cidr).prefixLength < WORLD_PREFIX_LENGTH
        ? `"${cidr}" opens the port to the world: ${whyNotTheWorld}`
        : undefined) ??
      (cidrs.indexOf(cidr) < index ? `"${cidr}" is named twice` : undefined);
    return reason === undefined ? [] : [{ property: `${property}[${index}]`, reason }];
  });
}
