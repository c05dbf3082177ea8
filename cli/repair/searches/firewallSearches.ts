import type { Properties } from "../../stackResource";
import { list } from "./networkSearches";
import { type Ask, filter, place, type Search, text } from "./search";

const RULES = "aws:vpc/getSecurityGroupRules:getSecurityGroupRules";
const RULE = "aws:vpc/getSecurityGroupRule:getSecurityGroupRule";

/** What makes two rules of a group the same to AWS: whom they are for, and on which ports. */
const PEERS = ["cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"] as const;

/** Searches for security groups and their rules, by type. */
export const firewallSearches: Readonly<Record<string, Search>> = {
  // In a network no two groups have the same name.
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
 * The rule that does what was asked for: AWS takes no second one. Its tags don't matter, as one that
 * does the same is in the way whatever tags it has.
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
    // All protocols have no ports, which AWS tells as -1.
    (protocol === "-1" ||
      (port(wanted.fromPort) === port(rule.fromPort) && port(wanted.toPort) === port(rule.toPort)))
  );
}

function port(value: unknown): number {
  return typeof value === "number" ? value : -1;
}
