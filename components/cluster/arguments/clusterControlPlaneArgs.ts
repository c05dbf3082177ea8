import type * as pulumi from "@pulumi/pulumi";
import type { FirstDelivery, Patch } from "../../../provider";
import type { EtcdVolumeArgs } from "../../machines/makeMachine";
import type { NodeDrainArgs } from "../../machines/nodeDrain";
import type { SubnetTier } from "../../network/planSubnets";
import type { RoleStatement } from "../../permissions/extendRole";
import type { NodePermissions } from "../../permissions/nodePermissions";

/** A cluster's control plane; `ControlPlaneArgs` says what each means. */
export interface ClusterControlPlaneArgs {
  readonly machineCount?: number;
  /**
   * Where the machines lie. In `private` subnets nobody outside the network can call them, and each
   * saves its public address, about $3.65 a month; they reach the internet through NAT. Operators
   * then come from within the network (exposure `internal` or `both`), or through the load balancer
   * (`talosApiThroughLoadBalancer`). To change it for a cluster that runs, tell each machine its zone
   * in `machines` first: they are replaced then, one after the other. Default: `public`.
   */
  readonly subnets?: SubnetTier;
  /**
   * How a machine gets its first configuration. By `apply` it waits for it, and obeys whoever reaches
   * it until then. By `userData` it has it from its first moment, and nobody is trusted without a
   * certificate; but whoever may call `ec2:DescribeInstanceAttribute` reads the cluster's keys in
   * it, and so would pods, so that the metadata service answers only the machine and pods in its
   * network then. At most 16 KiB after gzip. Either way later configurations go over the Talos API
   * and replace or restart no machine; one that is made again gets today's. Default: `apply`.
   */
  readonly delivery?: FirstDelivery;
  /**
   * Gives each machine an address that it keeps when it is stopped, as for another instance type.
   * Costs what a public address costs anyway, and about $3.65 a month while a machine is stopped.
   * Default: false.
   */
  readonly fixedAddresses?: boolean;
  /** Keeps what machines write, etcd's data above all, on a volume of its own; see there. */
  readonly etcdVolume?: EtcdVolumeArgs;
  /**
   * ARN of the KMS key that encrypts the machines' volumes, root's and etcd's. Give it when the cluster is
   * made: AWS can't change the key of a volume, so a preview refuses another one later. Default: the
   * account's default key for EBS.
   */
  readonly kmsKeyId?: pulumi.Input<string>;
  /** See `ControlPlaneArgs`. Default: false. */
  readonly detailedMonitoring?: boolean;
  /** See `ControlPlaneArgs`. Default: 2; 1 with `userData`. */
  readonly metadataHopLimit?: number;
  readonly instanceType?: pulumi.Input<string>;
  /** What is special about single machines, by their keys `1` to `5`. Default: nothing. */
  readonly machines?: Readonly<Record<string, ClusterMachineArgs>>;
  /** An image to boot other than the official one of `talosVersion`. */
  readonly imageId?: pulumi.Input<string>;
  /** Owner of the image to boot; see `MachineImageArgs.owner`. Default: Sidero Labs. */
  readonly imageOwner?: string;
  /** Name of the image to boot; see `MachineImageArgs.imageName`. Default: the official one's. */
  readonly imageName?: string;
  /** What the machines may do in AWS. Default: to see themselves and their like. */
  readonly role?: ClusterRoleArgs;
  readonly rootVolumeSizeGib?: number;
  readonly drain?: NodeDrainArgs;
  readonly terminationProtection?: pulumi.Input<boolean>;
}

/** The IAM role of a cluster's machines; `NodeRoleArgs` says what each means. */
export interface ClusterRoleArgs {
  readonly permissions?: NodePermissions;
  readonly permissionsBoundaryArn?: string;
  readonly path?: string;
  readonly managedPolicyArns?: Readonly<Record<string, pulumi.Input<string>>>;
  readonly statements?: readonly RoleStatement[];
  /** Takes an instance profile that is there. Exclusive with all others. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /** Gives machines no role: nothing on them can call AWS. Exclusive with all others. Default: false. */
  readonly none?: boolean;
}

/** What is special about one machine. */
export interface ClusterMachineArgs {
  /** Key of the zone to be in; a change replaces the machine. Default: spread at creation. */
  readonly zone?: string;
  /** Patches for this machine alone, applied after those of all. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
}
