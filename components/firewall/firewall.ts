import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { clusterTag } from "../clusterTag";
import { groupNameProblem } from "../nameRules";
import { misspeltArguments, type PropertyProblem, refuse } from "../problems";
import { checkFirewall } from "./checkFirewall";
import type { AdoptedGroupsArgs, FirewallArgs, FirewallGroup } from "./firewallArgs";
import type { FirewallPort } from "./firewallPort";
import { type FirewallPeer, type FirewallRule, planFirewallRules } from "./planFirewallRules";

type GroupIds = Readonly<Record<FirewallGroup, pulumi.Output<string>>>;

const DESCRIPTIONS: Readonly<Record<FirewallGroup, string>> = {
  controlPlane: "Talos control plane machines",
  worker: "Talos worker machines",
  loadBalancer: "Load balancer of the Kubernetes API",
};

const SUFFIXES: Readonly<Record<FirewallGroup, string>> = {
  controlPlane: "control-plane",
  worker: "worker",
  loadBalancer: "load-balancer",
};

/** Names of groups that EC2 doesn't take. */
export function checkGroupNames(name: string): PropertyProblem[] {
  const [reason] = Object.values(SUFFIXES).flatMap(
    (suffix) => groupNameProblem(`${name}-${suffix}`) ?? [],
  );
  return reason === undefined ? [] : [{ property: "name", reason }];
}

const TYPE = "talos-aws:index:Firewall";

/**
 * The security groups of control plane machines, worker machines and the API load balancer. They
 * open only the ports that the cluster needs. Free of charge.
 *
 * @throws pulumi.InputPropertiesError for invalid ranges or the whole world, and for choices that
 * exclude each other
 */
export class Firewall extends pulumi.ComponentResource {
  /** The group of the control plane machines. */
  readonly controlPlaneGroupId: pulumi.Output<string>;
  /** The group of the workers. */
  readonly workerGroupId: pulumi.Output<string>;
  /** The group of the load balancer. */
  readonly loadBalancerGroupId: pulumi.Output<string>;

  constructor(name: string, args: FirewallArgs, opts?: pulumi.ComponentResourceOptions) {
    const rules = planFirewallRules(args);
    refuse(`the firewall "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkFirewall(args, rules),
      ...(args.adopt === undefined ? checkGroupNames(name) : []),
    ]);
    super(TYPE, name, {}, opts);

    const groupIds =
      args.adopt === undefined ? this.makeGroups(name, args) : adoptedGroups(args.adopt);
    if (args.adopt === undefined || args.adopt.makeRules === true) {
      for (const rule of rules) {
        this.makeRule(name, rule, groupIds, args.tags);
      }
    }

    this.controlPlaneGroupId = groupIds.controlPlane;
    this.workerGroupId = groupIds.worker;
    this.loadBalancerGroupId = groupIds.loadBalancer;
    this.registerOutputs({
      controlPlaneGroupId: this.controlPlaneGroupId,
      workerGroupId: this.workerGroupId,
      loadBalancerGroupId: this.loadBalancerGroupId,
    });
  }

  private makeGroups(name: string, args: FirewallArgs): GroupIds {
    const group = (kind: FirewallGroup) =>
      new aws.ec2.SecurityGroup(
        `${name}-${SUFFIXES[kind]}`,
        {
          vpcId: args.vpcId,
          description: DESCRIPTIONS[kind],
          tags: pulumi.all([args.clusterName, args.tags ?? {}]).apply(([clusterName, tags]) => ({
            Name: `${name}-${SUFFIXES[kind]}`,
            // The cloud controller adds its own rules to the one tagged group of a machine.
            ...(kind === "loadBalancer" ? {} : { [clusterTag(clusterName)]: "owned" }),
            ...tags,
          })),
        },
        { parent: this },
      ).id;
    return {
      controlPlane: group("controlPlane"),
      worker: group("worker"),
      loadBalancer: group("loadBalancer"),
    };
  }

  private makeRule(
    name: string,
    rule: FirewallRule,
    groupIds: GroupIds,
    tags: FirewallArgs["tags"] = {},
  ): void {
    const ruleName = `${name}-${rule.key}`;
    const ruleArgs = {
      securityGroupId: groupIds[rule.group],
      ...toPorts(rule.port),
      ...toPeer(rule.peer, groupIds),
      description: rule.description,
      tags: pulumi.output(tags).apply((more) => ({ Name: ruleName, ...more })),
    };
    if (rule.direction === "ingress") {
      new aws.vpc.SecurityGroupIngressRule(ruleName, ruleArgs, { parent: this });
    } else {
      new aws.vpc.SecurityGroupEgressRule(ruleName, ruleArgs, { parent: this });
    }
  }
}

function adoptedGroups(adopt: AdoptedGroupsArgs): GroupIds {
  return {
    controlPlane: pulumi.output(adopt.controlPlaneGroupId),
    worker: pulumi.output(adopt.workerGroupId),
    loadBalancer: pulumi.output(adopt.loadBalancerGroupId),
  };
}

function toPorts(port: FirewallPort | undefined) {
  if (port === undefined) {
    return { ipProtocol: "-1" };
  }
  // EC2 identifies IP in IP only by its number.
  const ipProtocol = port.protocol === "ipip" ? "4" : port.protocol;
  return port.ports === undefined
    ? { ipProtocol }
    : { ipProtocol, fromPort: port.ports.from, toPort: port.ports.to };
}

function toPeer(peer: FirewallPeer, groupIds: GroupIds) {
  if ("group" in peer) {
    return { referencedSecurityGroupId: groupIds[peer.group] };
  }
  if ("securityGroupId" in peer) {
    return { referencedSecurityGroupId: peer.securityGroupId };
  }
  return "cidr" in peer ? { cidrIpv4: peer.cidr } : { cidrIpv6: peer.ipv6Cidr };
}
