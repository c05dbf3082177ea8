import type { FirewallGroup } from "../../../components/firewall/firewallArgs";
import type { FirewallPort } from "../../../components/firewall/firewallPort";
import type { FirewallPeer, FirewallRule } from "../../../components/firewall/planFirewallRules";
import { parseCidr } from "../../../components/network/cidr";

/** Someone who sends: a member of a group, or a single address from elsewhere. */
export type Sender = { readonly group: FirewallGroup } | { readonly address: string };

/** A packet's protocol and port; of ICMP its type. */
export interface Packet {
  readonly protocol: FirewallPort["protocol"];
  readonly port: number;
}

/**
 * Answers whether a connection comes about, by the rules alone: the sender's group must let it out
 * and the receiver's let it in. Groups remember connections, so answers need no rule.
 */
export function reachability(
  rules: readonly FirewallRule[],
  to: FirewallGroup,
  packet: Packet,
): (from: Sender) => boolean {
  const fitting = rules.filter(({ port }) => covers(port, packet));
  const ingress = fitting.filter((rule) => rule.direction === "ingress" && rule.group === to);
  const egress = fitting.filter((rule) => rule.direction === "egress");
  const letsOut = (from: FirewallGroup) =>
    egress.some((rule) => rule.group === from && isPeer(rule.peer, { group: to }));
  return (from) =>
    ingress.some(({ peer }) => isPeer(peer, from)) && ("address" in from || letsOut(from.group));
}

function covers(port: FirewallPort | undefined, { protocol, port: number }: Packet): boolean {
  if (port === undefined) {
    return true;
  }
  if (port.protocol !== protocol) {
    return false;
  }
  if (port.ports === undefined) {
    return true;
  }
  return protocol === "icmp"
    ? port.ports.from === number
    : port.ports.from <= number && number <= port.ports.to;
}

function isPeer(peer: FirewallPeer, sender: Sender): boolean {
  if ("group" in peer) {
    return "group" in sender && sender.group === peer.group;
  }
  if (!("cidr" in peer)) {
    return false;
  }
  // Members of groups have addresses of the network, which no range but the world holds.
  if ("group" in sender) {
    return isWorld(peer.cidr);
  }
  const range = parseCidr(peer.cidr);
  const { first } = parseCidr(`${sender.address}/32`);
  return range.first <= first && first <= range.last;
}

function isWorld(cidr: string): boolean {
  return cidr === "0.0.0.0/0";
}
