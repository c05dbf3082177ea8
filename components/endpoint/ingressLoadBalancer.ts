import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { checkCidrs, pointlessRanges } from "../firewall/checkFirewall";
import { balancerNameProblem } from "../nameRules";
import { misspeltArguments, type PropertyProblem, refuse, within } from "../problems";
import type { PoolTarget } from "../workers/poolSettings";
import { type AccessLogsArgs, checkAccessLogs, planAccessLogs } from "./accessLogs";
import {
  checkIngressListeners,
  type IngressListenerArgs,
  planListener,
  planTargets,
  portsOfMachines,
} from "./ingressListeners";

const SUFFIX = "-lb";
const WORLD = "0.0.0.0/0";

/** What clients reach in front of a pool; the arguments that don't depend on its cluster. */
export interface IngressArgs {
  /** Its ports, by names that stay, for example `https`. */
  readonly listeners: Readonly<Record<string, IngressListenerArgs>>;
  /** IPv4 ranges of clients. Excludes `allowWorld`. Default: none, so nobody reaches it. */
  readonly clientCidrs?: readonly string[];
  /** Every address may connect, as for a public website. Default: false. */
  readonly allowWorld?: boolean;
  /** Only private addresses. A change replaces the load balancer. Default: false. */
  readonly internal?: boolean;
  /** AWS refuses to delete it until this is false again. Default: false. */
  readonly deletionProtection?: pulumi.Input<boolean>;
  /**
   * Logs each TLS connection to a bucket. AWS logs no other connections, so a listener needs
   * `certificateArn`. Default: none.
   */
  readonly accessLogs?: AccessLogsArgs;
}

/** Arguments of `IngressLoadBalancer`. */
export interface IngressLoadBalancerArgs extends IngressArgs {
  /** The network of its subnets. */
  readonly vpcId: pulumi.Input<string>;
  /** Subnets of the load balancer, one per zone; public ones unless `internal`. */
  readonly subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The security group of the machines, such as `Firewall.workerGroupId`. It gets a rule for each port
   * that the load balancer reaches.
   */
  readonly machineGroupId: pulumi.Input<string>;
  /** Pulumi refuses to delete it. Default: false. */
  readonly protect?: boolean;
  /** Additional tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

const TYPE = "talos-aws:index:IngressLoadBalancer";

/**
 * A network load balancer in front of the machines of a pool, for an ingress controller that runs on them:
 * with TLS where a certificate is given, and with health checks. Give `targets` to the pool. It costs
 * about $16.40 a month plus traffic, and about $3.65 for its public address in each zone (list
 * prices in us-east-1, November 2026).
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments
 */
export class IngressLoadBalancer extends pulumi.ComponentResource {
  /** Its name in AWS' DNS. */
  readonly dnsName: pulumi.Output<string>;
  /** The hosted zone of `dnsName`, which an alias record needs. */
  readonly zoneId: pulumi.Output<string>;
  /** Its ARN. */
  readonly arn: pulumi.Output<string>;
  /** Its own security group. */
  readonly securityGroupId: pulumi.Output<string>;
  /** The target groups for the argument `targets` of a pool, by the names of the listeners. */
  readonly targets: Readonly<Record<string, PoolTarget>>;

  constructor(name: string, args: IngressLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    refuse(`the ingress load balancer "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkIngressLoadBalancer(name, args),
    ]);
    super(TYPE, name, {}, opts);
    const child = { parent: this };
    const tagged = (Name: string) =>
      pulumi.output(args.tags ?? {}).apply((more) => ({ Name, ...more }));
    const group = new aws.ec2.SecurityGroup(
      `${name}-ingress`,
      {
        vpcId: args.vpcId,
        description: "Ingress load balancer",
        tags: tagged(`${name}-ingress`),
      },
      child,
    );
    this.makeRules(name, args, group.id);
    const tags = tagged(name);
    const loadBalancer = new aws.lb.LoadBalancer(
      `${name}${SUFFIX}`,
      {
        loadBalancerType: "network",
        internal: args.internal ?? false,
        subnets: args.subnetIds,
        securityGroups: [group.id],
        // A zone without a machine that serves would not answer otherwise.
        enableCrossZoneLoadBalancing: true,
        enableDeletionProtection: args.deletionProtection ?? false,
        accessLogs: planAccessLogs(args.accessLogs),
        tags,
      },
      { ...child, protect: args.protect ?? false },
    );
    const targets = Object.entries(args.listeners).map(([key, listener]) => {
      const targetGroup = new aws.lb.TargetGroup(
        `${name}-${key}`,
        { vpcId: args.vpcId, ...planTargets(listener), tags },
        {
          ...child,
          // AWS allows a target group only one load balancer, and both exist during a replacement.
          replaceWith: [loadBalancer],
          replacementTrigger: loadBalancer.arn,
        },
      );
      new aws.lb.Listener(
        `${name}-${key}`,
        {
          loadBalancerArn: loadBalancer.arn,
          ...planListener(listener),
          defaultActions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
          tags,
        },
        child,
      );
      return [key, { targetGroupArn: targetGroup.arn }] as const;
    });
    this.targets = Object.fromEntries(targets);
    this.dnsName = loadBalancer.dnsName;
    this.zoneId = loadBalancer.zoneId;
    this.arn = loadBalancer.arn;
    this.securityGroupId = group.id;
    this.registerOutputs({
      dnsName: this.dnsName,
      zoneId: this.zoneId,
      arn: this.arn,
      securityGroupId: this.securityGroupId,
    });
  }

  /** Clients reach its ports, and it reaches the ports of the machines. */
  private makeRules(
    name: string,
    args: IngressLoadBalancerArgs,
    groupId: pulumi.Output<string>,
  ): void {
    const rule = (key: string, port: number, what: string) => ({
      ipProtocol: "tcp",
      fromPort: port,
      toPort: port,
      description: `Ingress: ${what}`,
      tags: pulumi
        .output(args.tags ?? {})
        .apply((more) => ({ Name: `${name}-ingress-${key}`, ...more })),
    });
    const clients = args.allowWorld === true ? [WORLD] : (args.clientCidrs ?? []);
    for (const { port } of Object.values(args.listeners)) {
      for (const cidr of clients) {
        const key = `${port}-from-${cidr.replace("/", "-")}`;
        new aws.vpc.SecurityGroupIngressRule(
          `${name}-ingress-${key}`,
          {
            securityGroupId: groupId,
            cidrIpv4: cidr,
            ...rule(key, port, "clients"),
          },
          { parent: this },
        );
      }
    }
    for (const port of portsOfMachines(args.listeners)) {
      const [toMachines, fromBalancer] = [`${port}-to-machines`, `${port}-from-load-balancer`];
      new aws.vpc.SecurityGroupEgressRule(
        `${name}-ingress-${toMachines}`,
        {
          securityGroupId: groupId,
          referencedSecurityGroupId: args.machineGroupId,
          ...rule(toMachines, port, "machines"),
        },
        { parent: this },
      );
      new aws.vpc.SecurityGroupIngressRule(
        `${name}-ingress-${fromBalancer}`,
        {
          securityGroupId: args.machineGroupId,
          referencedSecurityGroupId: groupId,
          ...rule(fromBalancer, port, "load balancer"),
        },
        { parent: this },
      );
    }
  }
}

/** All problems of an ingress load balancer that are known before creation. */
export function checkIngressLoadBalancer(name: string, args: IngressArgs): PropertyProblem[] {
  const { listeners, clientCidrs = [], allowWorld = false } = args;
  const longest = Math.max(SUFFIX.length, ...Object.keys(listeners).map((key) => key.length + 1));
  const problem = balancerNameProblem(name, longest);
  return [
    ...(problem === undefined ? [] : [{ property: "name", reason: problem }]),
    ...checkIngressListeners(listeners),
    ...checkCidrs(
      "clientCidrs",
      clientCidrs,
      "name the ranges that clients come from, or leave this out and set allowWorld",
    ),
    ...(allowWorld && clientCidrs.length > 0 ? [pointlessRanges("clientCidrs", "allowWorld")] : []),
    ...within("accessLogs", checkAccessLogs(args.accessLogs, listeners)),
  ];
}
