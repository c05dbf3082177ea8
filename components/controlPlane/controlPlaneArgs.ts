import type * as pulumi from "@pulumi/pulumi";
import type { ClientCredentials } from "../../provider";
import type { ApiTarget } from "../endpoint/apiLoadBalancer";
import type { EtcdVolumeArgs } from "../machines/etcdVolume";
import type { NodeDrainArgs } from "../machines/nodeDrain";
import type { VolumeSpeedArgs } from "../machines/volumes";

/** Arguments of `ControlPlane`. */
export interface ControlPlaneArgs {
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
   * Number of machines: 1, 3 or 5. With 1, the loss of the machine is the loss of the cluster. 3
   * machines survive the loss of one, 5 of two. Default: 3.
   */
  readonly machineCount?: number;
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
   * EC2 instance type of a Nitro family. A change stops and starts the machines: one after another
   * with `turns`, else all at once. They get new public addresses, unless those are fixed. Default:
   * `m6i.large`, about $70 a month each (list price in us-east-1, November 2026). AWS charges burstable
   * types (T3, T3a, T4g) $0.04 to $0.05 for each processor and hour above their baseline, until
   * `creditSpecification` of the instances limits them.
   */
  readonly instanceType?: pulumi.Input<string>;
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
   * Size of the root volume in GiB, 20 or more; gp3, encrypted. Default: 50, about $4 a month each
   * (list price in us-east-1, November 2026).
   */
  readonly rootVolumeSizeGib?: number;
  /** Stores what machines write, mainly etcd's data, on a separate volume. Default: none. */
  readonly etcdVolume?: EtcdVolumeArgs;
  /** Type and speed of the root volumes, changed in place. Default: gp3's own. */
  readonly rootVolume?: VolumeSpeedArgs;
  /**
   * ARN of the KMS key for the machines' volumes; see `MachineArgs`. Default: the account's key for
   * EBS.
   */
  readonly kmsKeyId?: pulumi.Input<string>;
  /**
   * Whether the machines get public addresses, about $3.65 a month each. In public subnets, a
   * machine without one reaches nothing outside the network. Default: true.
   */
  readonly publicAddresses?: boolean;
  /**
   * Each machine keeps its public address when it is stopped. A running machine loses its current
   * public address at once. Default: false.
   */
  readonly fixedAddresses?: boolean;
  /**
   * User data with the configuration of a machine, from `makeUserData`. Secret. Every principal
   * with `ec2:DescribeInstanceAttribute` can read it. Default: none; machines wait for their
   * configuration.
   */
  readonly userData?: (machine: PlannedMachine) => pulumi.Input<string>;
  /**
   * How many network hops an answer of the metadata service travels. With 2, all pods receive it;
   * with 1, only the machine and pods in its network. Two need a role that may only describe, and no
   * `userData`, which contains the cluster's keys: `TalosCluster` refuses others. Default: 1.
   */
  readonly metadataHopLimit?: number;
  /** CloudWatch records values every minute, about $2.10 a month per machine. Default: false. */
  readonly detailedMonitoring?: pulumi.Input<boolean>;
  /**
   * How to ask etcd whether the next machine may be stopped or replaced. Machines are then also
   * created one after another, some 15 seconds each. Their configuration does not wait for that.
   * Default: not asked, and a change affects all machines at once.
   */
  readonly turns?: ControlPlaneTurns;
  /**
   * EC2 refuses to terminate the machines until this is false again, and Pulumi to delete or replace
   * them if the value is a plain one. A change that ends a machine needs an `up` before that turns
   * this off. Default: false.
   */
  readonly terminationProtection?: pulumi.Input<boolean>;
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
