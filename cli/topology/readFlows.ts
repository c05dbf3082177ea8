import { type Properties, numberOf, text } from "../properties";
import { type ResourceIndex } from "./resourceIndex";
import type { Flow, MachineGroup, TopologyLoadBalancer } from "./topology";

interface Inhabitants {
  readonly isHere: (securityGroupIds: readonly string[]) => boolean;
  readonly groups: readonly MachineGroup[];
  readonly loadBalancers: readonly TopologyLoadBalancer[];
}

const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule";

/**
 * The connections that a network's security groups allow. A party is a security group, by its id,
 * or a range of addresses. A machine's public address means its group, and a NAT gateway's address
 * the machines in private subnets.
 */
export function readFlows(
  index: ResourceIndex,
  { isHere, groups, loadBalancers }: Inhabitants,
): readonly Flow[] {
  const inhabited = new Set([...groups, ...loadBalancers].map(({ party }) => party));
  const partiesOfRange = knownRanges(index, groups);
  const flows = new FlowList();
  for (const { outputs } of index.all(INGRESS)) {
    const to = text(outputs, "securityGroupId");
    const range = text(outputs, "cidrIpv4") || text(outputs, "cidrIpv6");
    const peer = text(outputs, "referencedSecurityGroupId");
    const port = describePort(outputs);
    const [why = ""] = text(outputs, "description").split(": ");
    for (const from of peer === "" ? (partiesOfRange.get(range) ?? [range]) : [peer]) {
      // Rules of unused groups are ignored.
      const isEmpty = !inhabited.has(to) || (from.startsWith("sg-") && !inhabited.has(from));
      if (isEmpty || !isHere([to])) {
        continue;
      }
      flows.add(from, to, port, why);
    }
  }
  return flows.all();
}

/**
 * The connections to addresses outside that a network's security groups allow. Those from one group to
 * another are no part of it: `readFlows` has them.
 */
export function readOutbound(
  index: ResourceIndex,
  { isHere, groups, loadBalancers }: Inhabitants,
): readonly Flow[] {
  const inhabited = new Set([...groups, ...loadBalancers].map(({ party }) => party));
  const flows = new FlowList();
  for (const { outputs } of index.all(EGRESS)) {
    const from = text(outputs, "securityGroupId");
    const to =
      text(outputs, "cidrIpv4") || text(outputs, "cidrIpv6") || text(outputs, "prefixListId");
    if (to !== "" && inhabited.has(from) && isHere([from])) {
      flows.add(from, to, describePort(outputs), "");
    }
  }
  return flows.all();
}

/** Connections by their ends, with ports and purposes merged. */
class FlowList {
  private readonly flows = new Map<
    string,
    { from: string; to: string; ports: Map<string, string> }
  >();

  add(from: string, to: string, port: string, why: string): void {
    const key = `${from} ${to}`;
    const flow = this.flows.get(key) ?? { from, to, ports: new Map<string, string>() };
    const before = flow.ports.get(port);
    flow.ports.set(port, before === undefined || before === why ? why : `${before}, ${why}`);
    this.flows.set(key, flow);
  }

  all(): readonly Flow[] {
    return [...this.flows.values()].map(({ from, to, ports }) => ({
      from,
      to,
      ports: [...ports]
        .map(([port, why]) => ({ port, why }))
        .sort((one, other) => one.port.localeCompare(other.port, "en", { numeric: true })),
    }));
  }
}

/** Single addresses of the stack itself, with their parties. */
function knownRanges(
  index: ResourceIndex,
  groups: readonly MachineGroup[],
): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  for (const { machines, party } of groups) {
    for (const { publicAddress, privateAddress } of machines) {
      // A stopped machine has no public address, and its rules name the private one.
      known.set(`${publicAddress === "" ? privateAddress : publicAddress}/32`, [party]);
    }
  }
  const hidden = groups.filter(({ tier }) => tier === "private").map(({ party }) => party);
  for (const { outputs } of index.all("aws:ec2/natGateway:NatGateway")) {
    known.set(`${text(outputs, "publicIp")}/32`, [...new Set(hidden)]);
  }
  return known;
}

function describePort(rule: Properties): string {
  const protocol = text(rule, "ipProtocol");
  const [from, to] = [numberOf(rule, "fromPort"), numberOf(rule, "toPort")];
  if (protocol === "-1") {
    return "everything";
  }
  if (from === undefined || to === undefined || from === -1) {
    return protocol;
  }
  return `${protocol} ${from === to || protocol.startsWith("icmp") ? from : `${from}-${to}`}`;
}
