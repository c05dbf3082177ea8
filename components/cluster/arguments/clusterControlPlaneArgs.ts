import type * as pulumi from "@pulumi/pulumi";
import type { FirstDelivery, MachineConfigurationArgs, Patch } from "../../../provider";
import type { ControlPlaneSettings } from "../../controlPlane/controlPlaneArgs";
import type { FirstContactChoice } from "../../machines/machineConsole";
import type { NodeDrainArgs } from "../../machines/nodeDrain";
import type { SubnetTier } from "../../network/planSubnets";
import type { RoleStatement } from "../../permissions/extendRole";
import type { NodePermissions } from "../../permissions/nodePermissions";

/** The image of a cluster's machines. */
export interface ClusterImageArgs {
  /** An image other than the official one of `talosVersion`. */
  readonly imageId?: pulumi.Input<string>;
  /** Owner of the image; see `MachineImageArgs.owner`. Default: Sidero Labs. */
  readonly imageOwner?: string;
  /** Name of the image; see `MachineImageArgs.imageName`. Default: the official one's. */
  readonly imageName?: string;
}

/** The control plane of a cluster. */
export interface ClusterControlPlaneArgs extends ControlPlaneSettings, ClusterImageArgs {
  /**
   * Subnets of the machines. Machines in `private` subnets cannot be reached from outside the
   * network. Each saves its public address, about $3.65 a month, and reaches the internet through
   * NAT. Operators then connect from inside the network (exposure `internal` or `both`), or through
   * the load balancer (`talosApiThroughLoadBalancer`).
   *
   * To change it in a running cluster, first give each machine its zone in `machines`. The machines
   * are then replaced, one after another. Default: `public`.
   */
  readonly subnets?: SubnetTier;
  /**
   * How a machine gets its first configuration.
   * - `apply`: it waits for it, and until then accepts one from every caller that reaches it.
   * - `userData`: it boots with it and trusts only certificates. Every principal with
   *   `ec2:DescribeInstanceAttribute` can read the cluster's keys in it. So the metadata service
   *   then answers only the machine and pods in its network. At most 16 KiB after gzip.
   *
   * Later configurations always use the Talos API and replace no machine. A recreated machine gets
   * the current one. Default: `apply`.
   */
  readonly delivery?: FirstDelivery;
  /**
   * By what a new machine is trusted with the cluster's keys. Only for the delivery `apply`, and only
   * while the machine waits for its first configuration.
   * - `console`: EC2's console output shows the fingerprint of its certificate. That needs
   *   `ec2:GetConsoleOutput` on the instance, and an endpoint of EC2 that `pulumi up` reaches.
   * - `firstAnswer`: it is the first to answer at its address. An impostor there gets all keys.
   *
   * Fingerprints in `machines` take precedence. Default: `console`.
   */
  readonly firstContact?: FirstContactChoice;
  /** Settings of single machines, by their keys `1` to `5`. Default: none. */
  readonly machines?: Readonly<Record<string, ClusterMachineArgs>>;
  /** The IAM role of the machines. Default: may describe EC2 instances and regions. */
  readonly role?: ClusterRoleArgs;
  readonly drain?: NodeDrainArgs;
}

/** The IAM role of a cluster's machines; see `NodeRoleArgs`. */
export interface ClusterRoleArgs {
  readonly permissions?: NodePermissions;
  readonly permissionsBoundaryArn?: string;
  readonly path?: string;
  readonly managedPolicyArns?: Readonly<Record<string, pulumi.Input<string>>>;
  readonly statements?: readonly RoleStatement[];
  /** Uses an existing instance profile. Exclusive with all others. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /**
   * Machines get no role, so nothing on them can call AWS. Exclusive with all others. Default:
   * false.
   */
  readonly none?: boolean;
}

/** Settings of one machine. */
export interface ClusterMachineArgs {
  /**
   * Key of the machine's zone. A change replaces the machine. Default: chosen at creation, to
   * spread machines.
   */
  readonly zone?: string;
  /**
   * Replaces the machine when it changes, for example `broken disk, 2026-11-24`. Change one machine at a
   * time: the new one joins etcd first, then the old one leaves and ends with its volumes. Leave it
   * there afterwards: its removal is a change too. Default: none.
   */
  readonly replacement?: string;
  /** Patches for this machine, applied after those of all machines. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * Fingerprints of the machine's maintenance certificate; see `ConfigurationApplyArgs`. Only for the
   * delivery `apply`. They take precedence over `firstContact`. Default: none.
   */
  readonly maintenanceFingerprints?: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Options of a machine configuration that the cluster does not set; see `MachineConfigurationArgs`.
 * Options that open ports between machines are arguments of the cluster: `cni` and `kubeSpan`.
 */
export type ClusterMachineConfigurationArgs = Omit<
  MachineConfigurationArgs,
  | "clusterName"
  | "endpoint"
  | "machineType"
  | "secretsBundle"
  | "acceptedAuthorities"
  | "secretsEncryption"
  | "platform"
  | "talosVersion"
  | "versionContract"
  | "contractDefaults"
  | "newDefaults"
  | "kubernetesVersion"
  | "installDisk"
  | "podCidrs"
  | "serviceCidrs"
  | "hostname"
  | "cni"
  | "kubeSpan"
  | "patches"
  | "machinePatches"
  | "otherPatches"
  | "plannedSettings"
  | "nodeCount"
  | "controlPlaneCount"
>;
