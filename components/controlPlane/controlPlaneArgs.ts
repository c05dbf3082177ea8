import type * as pulumi from "@pulumi/pulumi";
import type { ClientCredentials } from "../../provider";
import type { ApiTarget } from "../endpoint/apiLoadBalancer";
import type { EtcdVolumeArgs } from "../machines/etcdVolume";
import type { NamedMachineSettings } from "../machines/machineSettings";
import type { NodeDrainArgs } from "../machines/nodeDrain";

/** Settings of the machines of a control plane. */
export interface ControlPlaneSettings extends NamedMachineSettings {
  /**
   * Number of machines: 1, 3 or 5. With 1, the loss of the machine is the loss of the cluster. 3
   * machines survive the loss of one, 5 of two. Default: 3.
   */
  readonly machineCount?: number;
  /**
   * EC2 instance type of a Nitro family. A change stops and starts the machines: in a `TalosCluster`
   * or with `turns` one after another, else all at once. They get new public addresses, unless those
   * are fixed. Default: `m6i.large`, about $70 a month each (list price in us-east-1, November 2026).
   * AWS charges burstable types (T3, T3a, T4g) $0.04 to $0.05 for each processor and hour above their
   * baseline.
   */
  readonly instanceType?: pulumi.Input<string>;
  /** Stores what machines write, mainly etcd's data, on a separate volume. Default: none. */
  readonly etcdVolume?: EtcdVolumeArgs;
  /**
   * Each machine keeps its public address when it is stopped, for example for another instance
   * type. A running machine loses its current public address at once. It costs as much as any public
   * address, and about $3.65 a month while the machine is stopped. Default: undefined, machines get
   * other addresses.
   *
   * To end it in a `TalosCluster`, set `false` and run `talos-aws up` twice, or `pulumi up --refresh`.
   * AWS gives each running machine another address at the end of the first update. With `false`, the
   * second adds it to the machine's certificate. Talos itself knows only the addresses at boot.
   */
  readonly fixedAddresses?: boolean;
}

/** Arguments of `ControlPlane`. */
export interface ControlPlaneArgs extends ControlPlaneSettings {
  /**
   * Name of the cluster. It is part of the tag by which controllers in the cluster find its
   * machines.
   */
  readonly clusterName: pulumi.Input<string>;
  /** Public subnets by zone key, in the order to fill them: `Network.publicSubnets`. */
  readonly subnets: Readonly<
    Record<
      string,
      {
        /** Id of the subnet. */
        readonly id: pulumi.Input<string>;
      }
    >
  >;
  /**
   * All zones of the network, `Network.zones`. A preview then refuses to remove a zone with a
   * machine in it. Default: not checked, and the removal fails after 20 minutes.
   */
  readonly networkZones?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Settings of single machines, by their keys `1` to `5`. `zone`, the key of a zone, moves a
   * machine by replacing it: change one at a time. Without it, machines are spread over the zones,
   * and each stays in the zone of its creation. Default: none.
   */
  readonly machines?: Readonly<
    Record<
      string,
      {
        /** Key of the machine's zone. */
        readonly zone?: string;
        /** Replaces the machine when it changes, such as a reason. Default: none. */
        readonly replacement?: string;
      }
    >
  >;
  /**
   * The image to boot. A change does not affect existing machines, because Talos upgrades in place.
   */
  readonly imageId: pulumi.Input<string>;
  /** The machines' security group: `Firewall.controlPlaneGroupId`. */
  readonly securityGroupId: pulumi.Input<string>;
  /** `NodeRole.instanceProfileName`. Default: none, so nothing on the machines can call AWS. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /**
   * Target groups that each machine joins: `ApiLoadBalancer.targets`. Their keys are part of the
   * attachments' names. Default: none.
   */
  readonly targets?: Readonly<Record<string, ApiTarget>>;
  /**
   * The security group behind the public address of the Kubernetes API: a public load balancer, or
   * the machines themselves. It gets a rule for each machine's public address, because the machines
   * reach the API through it. Leave it out if they use private addresses.
   */
  readonly publicApiGroupId?: pulumi.Input<string>;
  /**
   * Whether the machines get public addresses, about $3.65 a month each. In public subnets, a
   * machine without one reaches nothing outside the network. Default: true.
   */
  readonly publicAddresses?: boolean;
  /**
   * User data with the configuration of a machine, from `makeUserData`. Secret. Every principal
   * with `ec2:DescribeInstanceAttribute` can read it. Default: none; machines wait for their
   * configuration.
   */
  readonly userData?: (machine: PlannedMachine) => pulumi.Input<string>;
  /**
   * How to ask etcd whether the next machine may be stopped or replaced. Machines are then also
   * created one after another, some 15 seconds each. Their configuration does not wait for that.
   * Default: not asked, and a change affects all machines at once.
   */
  readonly turns?: ControlPlaneTurns;
  /** Pulumi refuses to delete or replace the machines. Default: false. */
  readonly protect?: boolean;
  /** Additional tags for machines and volumes. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** How to check etcd before a machine is stopped. */
export interface ControlPlaneTurns {
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The Talos API to dial, which forwards to the machines. Default: each machine's own. */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * How a node is drained before its instance is stopped, for example for another instance type. It
   * is uncordoned when the machine is healthy. Default: no drain.
   */
  readonly drain?: NodeDrainArgs;
}

/** A machine before its creation. */
export interface PlannedMachine {
  readonly key: string;
  /** Its future public address; undefined unless it is fixed. */
  readonly fixedAddress: pulumi.Output<string> | undefined;
}
