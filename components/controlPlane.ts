import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { ApiTarget } from "./apiLoadBalancer";
import { defined } from "./defined";
import { controlPlaneTypeProblem } from "./instanceType";
import { checkRootVolume, makeMachine } from "./makeMachine";
import { KUBERNETES_API_PORT } from "./planFirewallRules";
import { checkMachines, planMachines } from "./planMachines";
import { judge, refuse } from "./problems";
import type { MachinePlan } from "./spreadMachines";

/** Two virtual processors and 8 GiB of memory. */
export const DEFAULT_CONTROL_PLANE_TYPE = "m6i.large";
/** Survives the loss of one machine. */
export const DEFAULT_MACHINE_COUNT = 3;

export interface ControlPlaneArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its machines. */
  readonly clusterName: pulumi.Input<string>;
  /** Public subnets by zone key, in the order to fill: `Network.publicSubnets`. */
  readonly subnets: Readonly<Record<string, { readonly id: pulumi.Input<string> }>>;
  /**
   * 1, 3 or 5. One machine lost is the cluster lost with 1, nothing lost with 3; 5 survive the
   * loss of two. Default: 3.
   */
  readonly machineCount?: number;
  /**
   * What is special about single machines, by their keys `1` to `5`. `zone`, the key of a zone,
   * moves a machine by replacing it: do one at a time. Without it a machine is spread and then
   * stays in the zone it was made in. Default: nothing.
   */
  readonly machines?: Readonly<Record<string, { readonly zone?: string }>>;
  /**
   * EC2 instance type, of a Nitro family. Changing it stops and starts the machines, all at the
   * same time: the cluster is away for some minutes, and the machines get other public addresses.
   * Default: `m6i.large`, about $70 a month each (list price in us-east-1, November 2026).
   */
  readonly instanceType?: pulumi.Input<string>;
  /** The image to boot. A change of it leaves machines alone: Talos upgrades in place. */
  readonly imageId: pulumi.Input<string>;
  /** The machines' group: `Firewall.controlPlaneGroupId`. */
  readonly securityGroupId: pulumi.Input<string>;
  /** `NodeRole.instanceProfileName`. Default: none, and nothing on the machines can call AWS. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /**
   * What each machine joins, by names that stand in those of the attachments:
   * `ApiLoadBalancer.targets`. Default: nothing.
   */
  readonly targets?: Readonly<Record<string, ApiTarget>>;
  /**
   * The group of what answers for the Kubernetes API at a public address: a public load balancer, or
   * the machines themselves. It then lets in the machines by their public addresses: that is how they
   * reach it. Leave out where the API is reached by private addresses.
   */
  readonly publicApiGroupId?: pulumi.Input<string>;
  /**
   * GiB, 20 or more; gp3, encrypted. Default: 50, about $4 a month each (list price in us-east-1,
   * November 2026).
   */
  readonly rootVolumeSizeGib?: number;
  /**
   * EC2 refuses to terminate the machines until this is false again: they can't be replaced or
   * destroyed by mistake. Default: false.
   */
  readonly terminationProtection?: pulumi.Input<boolean>;
  /** Pulumi refuses to delete or replace the machines. Default: false. */
  readonly protect?: boolean;
  /** More tags for machines and volumes. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A machine of a control plane. */
export interface ControlPlaneMachine {
  /** Name within the stack, for example `talos-control-plane-1`. */
  readonly name: string;
  readonly instanceId: pulumi.Output<string>;
  readonly publicAddress: pulumi.Output<string>;
  readonly privateAddress: pulumi.Output<string>;
  /** The availability zone. */
  readonly zone: pulumi.Output<string>;
  /** What lets the machine serve and reach the Kubernetes API through the load balancer. */
  readonly reachability: readonly pulumi.Resource[];
}

/**
 * The machines of a Talos control plane: they boot the image and wait for their configuration. No
 * SSH key and no open port 22: Talos has no shell.
 *
 * @throws pulumi.InputPropertiesError for an even number of machines, an instance type that can't
 *   boot Talos, an unknown zone
 */
export class ControlPlane extends pulumi.ComponentResource {
  /** By key, `1` to `5`, in order. */
  public readonly machines: Readonly<Record<string, ControlPlaneMachine>>;

  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.ComponentResourceOptions) {
    const choices = {
      machineCount: args.machineCount ?? DEFAULT_MACHINE_COUNT,
      zoneKeys: Object.keys(args.subnets),
      machines: args.machines,
    };
    const instanceType = judge(
      "instanceType",
      args.instanceType ?? DEFAULT_CONTROL_PLANE_TYPE,
      controlPlaneTypeProblem,
    );
    refuse(`the control plane "${name}"`, [
      ...checkMachines(choices),
      ...instanceType.problems,
      ...checkRootVolume(args.rootVolumeSizeGib),
    ]);
    super("talos-aws:index:ControlPlane", name, {}, opts);

    const machines = planMachines(choices).map(
      (plan) => [plan.key, this.makeMachine(name, plan, instanceType.value, args)] as const,
    );
    this.machines = Object.fromEntries(machines);
    this.registerOutputs({ instanceIds: machines.map(([, { instanceId }]) => instanceId) });
  }

  private makeMachine(
    name: string,
    plan: MachinePlan,
    instanceType: pulumi.Output<string>,
    args: ControlPlaneArgs,
  ): ControlPlaneMachine {
    const machineName = `${name}-${plan.key}`;
    const subnet = args.subnets[plan.zoneKey];
    if (subnet === undefined) {
      throw new Error(`there is no zone "${plan.zoneKey}" to make ${machineName} in`);
    }
    const instance = makeMachine(
      machineName,
      defined({
        clusterName: args.clusterName,
        imageId: args.imageId,
        instanceType,
        subnetId: subnet.id,
        securityGroupIds: [args.securityGroupId],
        instanceProfileName: args.instanceProfileName,
        rootVolumeSizeGib: args.rootVolumeSizeGib,
        terminationProtection: args.terminationProtection,
        staysInSubnet: !plan.zoneIsChosen,
        tags: args.tags,
      }),
      { parent: this, protect: args.protect ?? false },
    );
    return {
      name: machineName,
      instanceId: instance.id,
      publicAddress: instance.publicIp,
      privateAddress: instance.privateIp,
      zone: instance.availabilityZone,
      reachability: this.makeReachable(machineName, instance, args),
    };
  }

  private makeReachable(
    machineName: string,
    instance: aws.ec2.Instance,
    args: ControlPlaneArgs,
  ): pulumi.Resource[] {
    const child = { parent: this };
    const attachments = Object.entries(args.targets ?? {}).map(
      ([key, target]) =>
        new aws.lb.TargetGroupAttachment(
          `${machineName}-${key}`,
          { ...target, targetId: instance.id },
          child,
        ),
    );
    if (args.publicApiGroupId === undefined) {
      return attachments;
    }
    const rule = new aws.vpc.SecurityGroupIngressRule(
      `${machineName}-to-api`,
      {
        securityGroupId: args.publicApiGroupId,
        ipProtocol: "tcp",
        fromPort: KUBERNETES_API_PORT,
        toPort: KUBERNETES_API_PORT,
        cidrIpv4: pulumi.interpolate`${instance.publicIp}/32`,
        description: "Kubernetes API: machine by its public address",
        tags: pulumi
          .output(args.tags ?? {})
          .apply((more) => ({ Name: `${machineName}-to-api`, ...more })),
      },
      child,
    );
    return [...attachments, rule];
  }
}
