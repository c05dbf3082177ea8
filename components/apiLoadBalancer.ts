import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { KUBERNETES_API_PORT } from "./planFirewallRules";
import { refuse } from "./problems";

/** AWS' limit for names of load balancers and target groups. */
const MAX_NAME_LENGTH = 32;
/** What Pulumi appends to a name: a dash and seven random digits. */
const RANDOM_SUFFIX_LENGTH = 8;
const SUFFIX = "-lb";

export interface ApiLoadBalancerArgs {
  readonly vpcId: pulumi.Input<string>;
  /** Subnets to be reachable in, one for each zone; public ones unless `internal`. */
  readonly subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /** The load balancer's own group: `Firewall.loadBalancerGroupId`. */
  readonly securityGroupId: pulumi.Input<string>;
  /** Private addresses only. Changing it replaces the load balancer. Default: false. */
  readonly internal?: boolean;
  /** AWS refuses to delete it until this is false again. Default: false. */
  readonly deletionProtection?: pulumi.Input<boolean>;
  /** Pulumi refuses to delete it. Default: false. */
  readonly protect?: boolean;
  /** More tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * A network load balancer in front of the Kubernetes API, port 6443 to port 6443: TLS ends at the
 * API servers, which know clients by their certificates. Whoever makes control plane machines
 * attaches them to `targetGroupArn`.
 *
 * Costs about $16.40 a month plus traffic, and about $3.65 for the public address it has in each
 * zone (list prices in us-east-1, November 2026).
 *
 * @throws pulumi.InputPropertiesError for a name that AWS has no room for
 */
export class ApiLoadBalancer extends pulumi.ComponentResource {
  public readonly dnsName: pulumi.Output<string>;
  /** The hosted zone of `dnsName`, which an alias record needs. */
  public readonly zoneId: pulumi.Output<string>;
  public readonly arn: pulumi.Output<string>;
  public readonly targetGroupArn: pulumi.Output<string>;

  constructor(name: string, args: ApiLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    const problem = loadBalancerNameProblem(name);
    const problems = problem === undefined ? [] : [{ property: "name", reason: problem }];
    refuse(`the API load balancer "${name}"`, problems);
    super("talos-aws:index:ApiLoadBalancer", name, {}, opts);

    const child = { parent: this };
    const tags = pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more }));
    const loadBalancer = new aws.lb.LoadBalancer(
      `${name}${SUFFIX}`,
      {
        loadBalancerType: "network",
        internal: args.internal ?? false,
        subnets: args.subnetIds,
        // A network load balancer made without a group can never have one.
        securityGroups: [args.securityGroupId],
        // Else a zone whose only machine is down answers nobody.
        enableCrossZoneLoadBalancing: true,
        enableDeletionProtection: args.deletionProtection ?? false,
        tags,
      },
      { ...child, protect: args.protect ?? false },
    );
    const targetGroup = new aws.lb.TargetGroup(
      `${name}-tg`,
      {
        vpcId: args.vpcId,
        port: KUBERNETES_API_PORT,
        protocol: "TCP",
        targetType: "instance",
        // With it, a machine whose call is sent back to itself sees an answer from a stranger and
        // drops it (kubernetes/cloud-provider-aws issue 1160).
        preserveClientIp: "false",
        // Up to contract v1.13 Talos' API servers answer 401 to /readyz without a certificate, so
        // only that they listen can be asked.
        healthCheck: {
          protocol: "TCP",
          port: String(KUBERNETES_API_PORT),
          interval: 10,
          healthyThreshold: 2,
          unhealthyThreshold: 2,
        },
        tags,
      },
      child,
    );
    new aws.lb.Listener(
      `${name}-listener`,
      {
        loadBalancerArn: loadBalancer.arn,
        port: KUBERNETES_API_PORT,
        protocol: "TCP",
        defaultActions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
        tags,
      },
      child,
    );

    this.dnsName = loadBalancer.dnsName;
    this.zoneId = loadBalancer.zoneId;
    this.arn = loadBalancer.arn;
    this.targetGroupArn = targetGroup.arn;
    this.registerOutputs({
      dnsName: this.dnsName,
      zoneId: this.zoneId,
      arn: this.arn,
      targetGroupArn: this.targetGroupArn,
    });
  }
}

/** What is wrong with a name for an API load balancer; undefined when it is fine. */
export function loadBalancerNameProblem(name: string): string | undefined {
  const longest = MAX_NAME_LENGTH - RANDOM_SUFFIX_LENGTH - SUFFIX.length;
  if (name.length > longest) {
    return `"${name}" has ${name.length} characters: at most ${longest} fit, because AWS allows ${MAX_NAME_LENGTH} in the name of a load balancer and its end is taken; choose a shorter name`;
  }
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(name) || name.startsWith("internal-")) {
    return `"${name}" can't name a load balancer: allowed are letters, digits and dashes between them, not starting with "internal-"`;
  }
  return undefined;
}
