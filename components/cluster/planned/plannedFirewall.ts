import type { FirewallPeer, FirewallRule } from "../../firewall/planFirewallRules";
import { DEFAULT_NETWORK_CIDR } from "../../network/networkArgs";
import type { Plan, PlannedPlaces } from "./plan";

/** What the rules of the security groups are for that a machine's own firewall may not close. */
const NEEDED = /^(?:Kubernetes API|Talos API|Talos trustd|etcd|kubelet)\b/;

/**
 * Who has to come in at a machine whose own firewall has rules: those whom its security group lets in for
 * the cluster's own work. With KubeSpan, machines come in by it, which Talos lets in anyway.
 */
export function machineFirewall(plan: Plan): PlannedPlaces {
  const group = plan.role === "controlplane" ? "controlPlane" : "worker";
  const admits = plan.args.facts.firewallRules
    .filter((rule) => rule.direction === "ingress" && rule.group === group)
    .filter(({ description }) => NEEDED.test(description))
    .flatMap((rule) => sourcesOf(rule, plan));
  return {
    NetworkRuleConfig: {
      admits,
      wayOut: "leave the rest to the security groups, which let in no others",
    },
  };
}

function sourcesOf({ port, peer, description }: FirewallRule, plan: Plan) {
  const networks = networksOf(peer, plan);
  if (port?.ports === undefined || networks.length === 0) {
    return [];
  }
  const { from, to } = port.ports;
  const ports = `${from === to ? from : `${from}-${to}`}/${port.protocol}`;
  return [{ ports, networks, use: description }];
}

/** Nothing for an adopted network, which isn't read. */
function networksOf(peer: FirewallPeer, { args: { kubeSpan, network } }: Plan): readonly string[] {
  if ("cidr" in peer) {
    return [peer.cidr];
  }
  if ("ipv6Cidr" in peer) {
    return [peer.ipv6Cidr];
  }
  const isMachine = "group" in peer && peer.group !== "loadBalancer";
  if (!("group" in peer) || network.adopt !== undefined || (isMachine && kubeSpan === true)) {
    return [];
  }
  const own = network.cidrBlock ?? DEFAULT_NETWORK_CIDR;
  const { workerCidrBlock } = network;
  return peer.group === "worker" && workerCidrBlock !== undefined ? [own, workerCidrBlock] : [own];
}
