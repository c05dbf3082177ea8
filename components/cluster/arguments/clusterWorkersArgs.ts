import type * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../../provider";
import type { NodeDrainArgs } from "../../machines/nodeDrain";
import type { SubnetTier } from "../../network/planSubnets";
import type { AutoScalingArgs } from "../../workers/autoScalingArgs";
import type { MaxUnavailable } from "../../workers/maxUnavailable";
import type { WorkerMachineArgs } from "../../workers/workerPoolArgs";
import type { ClusterRoleArgs } from "./clusterControlPlaneArgs";
import type { ClusterMachineConfigurationArgs } from "./talosClusterArgs";

/** What all worker pools of a cluster have in common. */
export interface ClusterWorkersArgs {
  /** What the configuration of every worker says besides; pools' own stands above it, option by option. */
  readonly machineConfiguration?: ClusterWorkerConfigurationArgs;
  /** Patches for the configuration of every worker, before those of its pool. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /** What workers may do in AWS, in pools without a role of their own. Default: to see themselves. */
  readonly role?: ClusterRoleArgs;
}

/** Options of a worker's configuration; its labels and taints are the pool's. */
export type ClusterWorkerConfigurationArgs = Omit<
  ClusterMachineConfigurationArgs,
  | "allowSchedulingOnControlPlanes"
  | "apiServerCertSans"
  | "extraManifests"
  | "inlineManifests"
  | "nodeLabels"
  | "nodeTaints"
>;

/** A pool of workers: as many as you say, or as AWS makes between two sizes. */
export type ClusterWorkerPoolArgs = FixedClusterWorkerPoolArgs | AutoScalingClusterWorkerPoolArgs;

/** What both kinds of pools have; `WorkerMachinesArgs` says more of what isn't explained here. */
export interface ClusterWorkerMachinesArgs {
  /** EC2 instance type; its architecture is the pool's. Default: `m6i.large`. */
  readonly instanceType?: string;
  /**
   * Where the machines lie. In `private` subnets nobody outside the network can call them, each saves
   * its public address, and they reach the internet through NAT. Default: `public`.
   */
  readonly subnets?: SubnetTier;
  /** Keys of the zones to be in. Default: all of the network's. */
  readonly zones?: readonly string[];
  /** An image to boot other than the official one of `talosVersion`. */
  readonly imageId?: pulumi.Input<string>;
  /** Owner of the image to boot; see `MachineImageArgs.owner`. Default: Sidero Labs. */
  readonly imageOwner?: string;
  /** Name of the image to boot; see `MachineImageArgs.imageName`. Default: the official one's. */
  readonly imageName?: string;
  /** What the machines may do in AWS. Default: what all workers may. */
  readonly role?: ClusterRoleArgs;
  /**
   * Labels of the machines' nodes. Of Kubernetes' own only those that a kubelet may set. Default: none.
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Taints of the machines' nodes, `<value>:<effect>` or `<effect>` by key. A node is born with them:
   * a change is for machines to come. Default: none.
   */
  readonly taints?: Readonly<Record<string, string>>;
  /** What the machines' configuration says besides, above what all workers' does. Default: nothing. */
  readonly machineConfiguration?: ClusterWorkerConfigurationArgs;
  /** Patches for the pool's configuration, after those of all workers. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  readonly metadataHopLimit?: number;
  readonly rootVolumeSizeGib?: number;
  /** ARN of the key that encrypts root volumes; see `WorkerMachinesArgs`. Default: AWS' own. */
  readonly kmsKeyId?: pulumi.Input<string>;
  readonly detailedMonitoring?: boolean;
  /** More tags for the pool's machines, volumes and groups. Default: none. */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
}

/** A pool of as many machines as you say; `WorkerPoolArgs` says what each means. */
export interface FixedClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs {
  readonly machineCount: number;
  readonly machines?: Readonly<Record<string, WorkerMachineArgs>>;
  readonly maxUnavailable?: MaxUnavailable;
  readonly drain?: NodeDrainArgs;
  readonly terminationProtection?: pulumi.Input<boolean>;
  readonly autoScaling?: never;
}

/** A pool that AWS makes the machines of. */
export interface AutoScalingClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs {
  readonly autoScaling: AutoScalingArgs;
  readonly machineCount?: never;
  readonly machines?: never;
  readonly maxUnavailable?: never;
  readonly drain?: never;
  readonly terminationProtection?: never;
}
