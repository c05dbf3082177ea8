import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import {
  checkFirewall,
  type FirewallGroup,
  type FirewallRule,
  planFirewallRules,
} from "./planFirewallRules";
import { refuse } from "./problems";
import { clusterTag } from "./tags";

export interface FirewallArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its groups. */
  readonly clusterName: pulumi.Input<string>;
  readonly vpcId: pulumi.Input<string>;
  /**
   * IPv4 ranges that operators come from: where `pulumi up` and `talosctl` run. They reach the
   * Talos API of the control plane, which obeys anyone who reaches it until a machine has its
   * first configuration, so keep them narrow. Never the world.
   */
  readonly operatorCidrs: readonly string[];
  /**
   * IPv4 ranges that clients of the Kubernetes API come from. Default: the operators'. Exclusive
   * with `allowWorldToKubernetesApi`.
   */
  readonly kubernetesApiCidrs?: readonly string[];
  /**
   * Opens the Kubernetes API to every address. It still asks for credentials, but anyone can try
   * flaws in it. Default: false.
   */
  readonly allowWorldToKubernetesApi?: boolean;
  /** Whether the API load balancer has private addresses only. Default: false. */
  readonly internalLoadBalancer?: boolean;
  /** More tags for the groups and rules. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

const DESCRIPTIONS: Readonly<Record<FirewallGroup, string>> = {
  controlPlane: "Talos control plane machines",
  worker: "Talos worker machines",
  loadBalancer: "Load balancer of the Kubernetes API",
};

/**
 * The security groups of control plane machines, worker machines and the API load balancer, open
 * at no other port than the cluster needs. Free of charge.
 *
 * @throws pulumi.InputPropertiesError for ranges that are none, or the world
 */
export class Firewall extends pulumi.ComponentResource {
  public readonly controlPlaneGroupId: pulumi.Output<string>;
  public readonly workerGroupId: pulumi.Output<string>;
  public readonly loadBalancerGroupId: pulumi.Output<string>;

  constructor(name: string, args: FirewallArgs, opts?: pulumi.ComponentResourceOptions) {
    const choices = {
      operatorCidrs: args.operatorCidrs,
      kubernetesApiCidrs: args.kubernetesApiCidrs,
      allowWorldToKubernetesApi: args.allowWorldToKubernetesApi ?? false,
      internalLoadBalancer: args.internalLoadBalancer ?? false,
    };
    refuse(`the firewall "${name}"`, checkFirewall(choices));
    super("talos-aws:index:Firewall", name, {}, opts);

    const group = (role: string, kind: FirewallGroup) =>
      new aws.ec2.SecurityGroup(
        `${name}-${role}`,
        {
          vpcId: args.vpcId,
          description: DESCRIPTIONS[kind],
          tags: pulumi.all([args.clusterName, args.tags ?? {}]).apply(([clusterName, tags]) => ({
            Name: `${name}-${role}`,
            // The cloud controller takes the one tagged group of a machine for its own rules.
            ...(kind === "loadBalancer" ? {} : { [clusterTag(clusterName)]: "owned" }),
            ...tags,
          })),
        },
        { parent: this },
      );
    const groupIds = {
      controlPlane: group("control-plane", "controlPlane").id,
      worker: group("worker", "worker").id,
      loadBalancer: group("load-balancer", "loadBalancer").id,
    };

    for (const rule of planFirewallRules(choices)) {
      const ruleName = `${name}-${rule.key}`;
      const ruleArgs = {
        securityGroupId: groupIds[rule.group],
        ...toPorts(rule),
        ...("group" in rule.peer
          ? { referencedSecurityGroupId: groupIds[rule.peer.group] }
          : { cidrIpv4: rule.peer.cidr }),
        description: rule.description,
        tags: pulumi.output(args.tags ?? {}).apply((tags) => ({ Name: ruleName, ...tags })),
      };
      if (rule.direction === "ingress") {
        new aws.vpc.SecurityGroupIngressRule(ruleName, ruleArgs, { parent: this });
      } else {
        new aws.vpc.SecurityGroupEgressRule(ruleName, ruleArgs, { parent: this });
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
}

function toPorts({ protocol, ports }: FirewallRule) {
  return ports === undefined
    ? { ipProtocol: "-1" }
    : { ipProtocol: protocol, fromPort: ports.from, toPort: ports.to };
}
