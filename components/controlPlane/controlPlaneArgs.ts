import type * as pulumi from "@pulumi/pulumi";
import type { ClientCredentials } from "../../provider";
import type { ApiTarget } from "../endpoint/apiLoadBalancer";
import type { EtcdVolumeArgs } from "../machines/makeMachine";
import type { NodeDrainArgs } from "../machines/nodeDrain";

/** Arguments of `ControlPlane`. */
export interface ControlPlaneArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its machines. */
  readonly clusterName: pulumi.Input<string>;
  /** Public subnets by zone key, in the order to fill: `Network.publicSubnets`. */
  readonly subnets: Readonly<Record<string, { readonly id: pulumi.Input<string> }>>;
  /**
   * All zones of the network, `Network.zones`: a preview then refuses to remove one with a machine in
   * it. Default: nothing is refused, and removing it fails after 20 minutes.
   */
  readonly networkZones?: pulumi.Input<pulumi.Input<string>[]>;
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
   * EC2 instance type, of a Nitro family. Changing it stops and starts the machines, one after the
   * other with `turns`, else all at the same time; they get other public addresses then unless those
   * are fixed. Default: `m6i.large`, about $70 a month each (list price in us-east-1, November 2026).
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
  /** Keeps what machines write, etcd's data above all, on a volume of its own. Default: no. */
  readonly etcdVolume?: EtcdVolumeArgs;
  /** ARN of the KMS key of machines' volumes; `MachineArgs` says more. Default: the account's for EBS. */
  readonly kmsKeyId?: pulumi.Input<string>;
  /**
   * Whether the machines get public addresses, about $3.65 a month each. In public subnets they reach
   * nothing outside without. Default: true.
   */
  readonly publicAddresses?: boolean;
  /**
   * Gives each machine a public address that it keeps when it is stopped. A machine that runs loses the
   * public address that it has at once. Default: false.
   */
  readonly fixedAddresses?: boolean;
  /**
   * What a machine configures itself with, as `makeUserData` makes it; secret. Whoever may call
   * `ec2:DescribeInstanceAttribute` reads it. Default: nothing, machines wait for their configuration.
   */
  readonly userData?: (machine: PlannedMachine) => pulumi.Input<string>;
  /**
   * How many hops the answers of the metadata service travel: 2 reach pods with a network of their
   * own, 1 only the machine and pods in its network. Default: 2; 1 with `userData`, which is the
   * cluster's keys.
   */
  readonly metadataHopLimit?: number;
  /** CloudWatch has values of each minute, about $2.10 a month for each machine. Default: false. */
  readonly detailedMonitoring?: pulumi.Input<boolean>;
  /**
   * How etcd is asked whether the next machine may be stopped or replaced. With it machines are made
   * one after the other too, some 15 seconds each, but not configured so. Default: it isn't asked,
   * and changes come to all machines at once.
   */
  readonly turns?: ControlPlaneTurns;
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

/** How machines ask each other before one of them is stopped. */
export interface ControlPlaneTurns {
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The Talos API to dial, which forwards. Default: that of each machine. */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * How a machine's node is drained before its instance is stopped, as for another instance type; pods are let
   * in again when it is well. Default: undefined, nobody drains it.
   */
  readonly drain?: NodeDrainArgs;
}

/** A machine that is about to be made. */
export interface PlannedMachine {
  readonly key: string;
  /** The public address that it will have; undefined unless it is fixed. */
  readonly fixedAddress: pulumi.Output<string> | undefined;
}
