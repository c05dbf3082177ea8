import { type Properties, text } from "../../properties";
import { list } from "./networkSearches";
import { type Ask, filter, place, type Search } from "./search";

const RULES = "aws:vpc/getSecurityGroupRules:getSecurityGroupRules";
const RULE = "aws:vpc/getSecurityGroupRule:getSecurityGroupRule";

/** The fields that make two rules of a group equal to AWS: the peer and the ports. */
const PEERS = ["cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"] as const;

export const firewallSearches: Readonly<Record<string, Search>> = {
  // Names of groups are unique in a network.
  "aws:ec2/securityGroup:SecurityGroup": (inputs, ask) =>
    list(ask, "aws:ec2/getSecurityGroups:getSecurityGroups", inputs, [
      filter("vpc-id", text(inputs, "vpcId")),
      filter("group-name", text(inputs, "name")),
    ]),
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": (inputs, ask) =>
    rules(inputs, ask, false),
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": (inputs, ask) =>
    rules(inputs, ask, true),
};

/**
 * A rule with the requested effect, because AWS refuses a second one. Tags don't matter: an equal
 * rule blocks the create whatever its tags are.
 */
async function rules(inputs: Properties, ask: Ask, isEgress: boolean): Promise<readonly string[]> {
  const ofGroup = [filter("group-id", text(inputs, "securityGroupId"))];
  const ids = await list(ask, RULES, inputs, ofGroup);
  const all = await Promise.all(
    ids.map(async (securityGroupRuleId) => ({
      id: securityGroupRuleId,
      rule: await ask(RULE, { ...place(inputs), securityGroupRuleId }),
    })),
  );
  return all
    .filter(({ rule }) => (rule.isEgress === true) === isEgress && doesTheSame(inputs, rule))
    .map(({ id }) => id);
}

function doesTheSame(wanted: Properties, rule: Properties): boolean {
  const protocol = text(wanted, "ipProtocol");
  return (
    PEERS.every((peer) => text(wanted, peer) === text(rule, peer)) &&
    text(rule, "ipProtocol") === protocol &&
    // Rules for all protocols have no ports; AWS reports them as -1.
    (protocol === "-1" ||
      (port(wanted.fromPort) === port(rule.fromPort) && port(wanted.toPort) === port(rule.toPort)))
  );
}

function port(value: unknown): number {
  return typeof value === "number" ? value : -1;
}
