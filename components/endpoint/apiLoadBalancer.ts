import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { wholeNumber, problemAt } from "../argumentChecks";
import { KUBERNETES_API_PORT } from "../firewall/planFirewallRules";
import { balancerNameProblem } from "../nameRules";
import { misspeltArguments, type PropertyProblem, refuse } from "../problems";
import {
  type ApiHealthCheck,
  apiHealthCheckProblem,
  planApiHealthCheck,
} from "./planApiHealthCheck";

const SUFFIX = "-lb";
const TALOS_SUFFIX = "-talos";
/** apid, Talos' API. */
const TALOS_API_PORT = 50000;
/** Source: Elastic Load Balancing guide, "Listeners for your Network Load Balancers". */
const DEFAULT_IDLE_TIMEOUT_SECONDS = 350;

/** Arguments of `ApiLoadBalancer`. */
export interface ApiLoadBalancerArgs {
  /** Id of the VPC of its subnets. */
  readonly vpcId: pulumi.Input<string>;
  /** Subnets of the load balancer, one per zone; public ones unless `internal`. */
  readonly subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /** The load balancer's own security group: `Firewall.loadBalancerGroupId`. */
  readonly securityGroupId: pulumi.Input<string>;
  /** Only private addresses. A change replaces the load balancer. Default: false. */
  readonly internal?: boolean;
  /** Also IPv6 addresses. Each subnet needs an IPv6 range. Default: false. */
  readonly dualStack?: boolean;
  /**
   * Also forwards the Talos API, port 50000, for operators who can't reach the machines. It
   * connects to any machine, so a call must name its machine. A machine that waits for its first
   * configuration cannot be named. The security group must allow operators at port 50000. It costs
   * only the traffic. Default: false.
   */
  readonly talosApi?: boolean;
  /**
   * The cluster's version contract, for example `v1.14`. It decides what API servers report to a
   * load balancer. Default: as for an old contract.
   */
  readonly versionContract?: pulumi.Input<string>;
  /**
   * The machines' Talos release, for example `v1.14.1`. From v1.14 on, their API servers speak only
   * TLS 1.3. Default: as for an old release.
   */
  readonly talosVersion?: pulumi.Input<string>;
  /**
   * When the load balancer sends calls to a machine:
   * - `listening`: its port is open, which is also true for a hung API server.
   * - `answering`: its API server speaks TLS and HTTP, but may not be ready. Not from Talos v1.14
   *   on, because AWS' health checks don't speak TLS 1.3.
   * - `ready`: its API server reports ready. It does so from contract v1.14 on, and for the same
   *   reason AWS can't ask for it.
   *
   * Default: `listening`.
   */
  readonly healthCheck?: ApiHealthCheck;
  /**
   * How long the load balancer keeps a connection on which nothing is sent, such as an idle
   * `kubectl exec`. Seconds, 60 to 6000. Default: 350, as of AWS.
   */
  readonly idleTimeoutSeconds?: number;
  /** AWS refuses to delete it until this is false again. Default: false. */
  readonly deletionProtection?: pulumi.Input<boolean>;
  /** Pulumi refuses to delete it. Default: false. */
  readonly protect?: boolean;
  /** Additional tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A target of a load balancer: the target group that machines join, and their port. */
export interface ApiTarget {
  /** ARN of the target group. */
  readonly targetGroupArn: pulumi.Input<string>;
  /** The port of the machines in it. */
  readonly port: number;
}

const TYPE = "talos-aws:index:ApiLoadBalancer";

/**
 * A network load balancer for the Kubernetes API, port 6443 to port 6443. TLS ends at the API
 * servers, which identify clients by their certificates. Attach control plane machines to
 * `targets`. It costs about $16.40 a month plus traffic, and about $3.65 for its public address in
 * each zone (list prices in us-east-1, November 2026).
 *
 * @throws pulumi.InputPropertiesError for a name that is too long for AWS, and for a health check
 * that no machine could pass
 */
export class ApiLoadBalancer extends pulumi.ComponentResource {
  /** AWS' own name of the load balancer. */
  readonly dnsName: pulumi.Output<string>;
  /** The hosted zone of `dnsName`, which an alias record needs. */
  readonly zoneId: pulumi.Output<string>;
  /** ARN of the load balancer. */
  readonly arn: pulumi.Output<string>;
  /** The target group of the Kubernetes API. */
  readonly targetGroupArn: pulumi.Output<string>;
  /** Targets by API: `api`, and `talos` if the Talos API is forwarded. */
  readonly targets: Readonly<Record<string, ApiTarget>>;

  constructor(name: string, args: ApiLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    refuse(`the API load balancer "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkApiLoadBalancer(name, args),
    ]);
    super(TYPE, name, {}, opts);

    const tags = pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more }));
    const loadBalancer = new aws.lb.LoadBalancer(
      `${name}${SUFFIX}`,
      {
        loadBalancerType: "network",
        internal: args.internal ?? false,
        // Said in each case: of what is left out, the AWS provider keeps what was set before.
        ipAddressType: args.dualStack === true ? "dualstack" : "ipv4",
        subnets: args.subnetIds,
        // A network load balancer that is created without a group can never get one.
        securityGroups: [args.securityGroupId],
        // Otherwise a zone whose only machine is down would not answer.
        enableCrossZoneLoadBalancing: true,
        enableDeletionProtection: args.deletionProtection ?? false,
        tags,
      },
      { parent: this, protect: args.protect ?? false },
    );
    const passOn = (suffix: string, listener: string, port: number, healthCheck: HealthCheck) =>
      this.passOn(
        { group: `${name}${suffix}`, listener: `${name}${listener}` },
        { ...args, loadBalancer, port, healthCheck, tags },
      );
    const { healthCheck = "listening" } = args;
    const api = passOn("-tg", "-listener", KUBERNETES_API_PORT, planApiHealthCheck(healthCheck));
    // Without a certificate, the Talos API answers no request. So only its open port can be
    // checked.
    const talosCheck = { ...planApiHealthCheck("listening"), port: String(TALOS_API_PORT) };
    this.targets = {
      api,
      ...(args.talosApi === true && {
        talos: passOn(TALOS_SUFFIX, "-talos-listener", TALOS_API_PORT, talosCheck),
      }),
    };

    this.dnsName = loadBalancer.dnsName;
    this.zoneId = loadBalancer.zoneId;
    this.arn = loadBalancer.arn;
    this.targetGroupArn = api.targetGroupArn;
    this.registerOutputs({
      dnsName: this.dnsName,
      zoneId: this.zoneId,
      arn: this.arn,
      targetGroupArn: this.targetGroupArn,
    });
  }

  private passOn(names: { readonly group: string; readonly listener: string }, way: Way) {
    const { port, tags } = way;
    const child = { parent: this };
    const targetGroup = new aws.lb.TargetGroup(
      names.group,
      {
        vpcId: way.vpcId,
        port,
        protocol: "TCP",
        targetType: "instance",
        // Client IP preservation breaks calls that the load balancer sends back to their own
        // machine: the machine drops the answer (kubernetes/cloud-provider-aws issue 1160).
        preserveClientIp: "false",
        healthCheck: way.healthCheck,
        tags,
      },
      {
        ...child,
        // AWS allows a target group only one load balancer, and both exist during a replacement.
        // The trigger also works in a run that continues after a failed one.
        replaceWith: [way.loadBalancer],
        replacementTrigger: way.loadBalancer.arn,
      },
    );
    new aws.lb.Listener(
      names.listener,
      {
        loadBalancerArn: way.loadBalancer.arn,
        port,
        protocol: "TCP",
        tcpIdleTimeoutSeconds: way.idleTimeoutSeconds ?? DEFAULT_IDLE_TIMEOUT_SECONDS,
        defaultActions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
        tags,
      },
      child,
    );
    return { targetGroupArn: targetGroup.arn, port };
  }
}

type HealthCheck = pulumi.Input<ReturnType<typeof planApiHealthCheck>>;

interface Way {
  readonly vpcId: pulumi.Input<string>;
  readonly loadBalancer: aws.lb.LoadBalancer;
  readonly port: number;
  readonly idleTimeoutSeconds?: number;
  readonly healthCheck: HealthCheck;
  readonly tags: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** All problems of an API load balancer that are known before creation. */
export function checkApiLoadBalancer(
  name: string,
  args: Pick<
    ApiLoadBalancerArgs,
    "talosApi" | "healthCheck" | "versionContract" | "talosVersion" | "idleTimeoutSeconds"
  >,
): PropertyProblem[] {
  const { talosApi, healthCheck, versionContract = "v1.0", talosVersion } = args;
  const problems = {
    name: loadBalancerNameProblem(name, talosApi ?? false),
    healthCheck:
      healthCheck === undefined || typeof versionContract !== "string"
        ? undefined
        : apiHealthCheckProblem(
            healthCheck,
            versionContract,
            typeof talosVersion === "string" ? talosVersion : undefined,
          ),
  };
  return [
    ...Object.entries(problems).flatMap(([property, reason]) => problemAt(property, reason)),
    ...wholeNumber("idleTimeoutSeconds", args.idleTimeoutSeconds, 60, 6_000),
  ];
}

/**
 * What is wrong with a name for an API load balancer; undefined without a problem.
 *
 * @param talosApi whether it passes on the Talos API, too, which takes more room
 */
function loadBalancerNameProblem(name: string, talosApi = false): string | undefined {
  return balancerNameProblem(name, (talosApi ? TALOS_SUFFIX : SUFFIX).length);
}
