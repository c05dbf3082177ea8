import type * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../../provider";
import type { IngressArgs } from "../../endpoint/ingressLoadBalancer";
import type { NodeDrainArgs } from "../../machines/nodeDrain";
import type { CapacityReservationArgs, PlacementGroupArgs } from "../../machines/placement";
import type { DataVolumeArgs, VolumeSpeedArgs } from "../../machines/volumes";
import type { PoolTier } from "../../network/planSubnets";
import type { AutoScalingArgs } from "../../workers/autoScalingArgs";
import type { MaxUnavailable } from "../../workers/maxUnavailable";
import type { PoolTarget, WorkerMachineArgs } from "../../workers/workerPoolArgs";
import type { ClusterRoleArgs } from "./clusterControlPlaneArgs";
import type { ClusterMachineConfigurationArgs } from "./clusterControlPlaneArgs";

/** Settings of all worker pools of a cluster. */
export interface ClusterWorkersArgs {
  /**
   * Options of every worker's configuration. An option of a pool overrides the same option here.
   */
  readonly machineConfiguration?: ClusterWorkerConfigurationArgs;
  /** Patches for every worker's configuration, applied before those of its pool. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * The IAM role of workers in pools without their own role. Default: may describe EC2 instances and regions.
   */
  readonly role?: ClusterRoleArgs;
}

/** Options of a worker's configuration. Labels and taints are set on the pool. */
export type ClusterWorkerConfigurationArgs = Omit<
  ClusterMachineConfigurationArgs,
  | "allowSchedulingOnControlPlanes"
  | "apiServerCertSans"
  | "extraManifests"
  | "inlineManifests"
  | "nodeLabels"
  | "nodeTaints"
>;

/** A pool of workers: a fixed number, or an auto scaling group. */
export type ClusterWorkerPoolArgs = FixedClusterWorkerPoolArgs | AutoScalingClusterWorkerPoolArgs;

/** Arguments of both kinds of pools; see `WorkerMachinesArgs`. */
export interface ClusterWorkerMachinesArgs {
  /** EC2 instance type. It sets the architecture of the pool. Default: `m6i.large`. */
  readonly instanceType?: string;
  /**
   * Subnets of the machines. Machines in `private` subnets cannot be reached from outside the
   * network, need no public address, and reach the internet through NAT. `worker` subnets are
   * private ones in `network.workerCidrBlock`. Default: `public`.
   */
  readonly subnets?: PoolTier;
  /** Keys of the zones to use. Default: all zones of the network. */
  readonly zones?: readonly string[];
  /** An image other than the official one of `talosVersion`. */
  readonly imageId?: pulumi.Input<string>;
  /** Owner of the image; see `MachineImageArgs.owner`. Default: Sidero Labs. */
  readonly imageOwner?: string;
  /** Name of the image; see `MachineImageArgs.imageName`. Default: the official one's. */
  readonly imageName?: string;
  /**
   * More security groups of the machines, 4 at most, such as one that a database lets in. Another
   * choice replaces the machines of an auto scaling pool. Default: none.
   */
  readonly moreSecurityGroupIds?: readonly pulumi.Input<string>[];
  /**
   * Target groups that each machine joins, such as those of a load balancer of yours, by names that
   * stay. `firewall.extraRules` lets its traffic in. Default: none.
   */
  readonly targets?: Readonly<Record<string, PoolTarget>>;
  /**
   * A load balancer in front of the pool, for an ingress controller on its machines. It is in the public
   * subnets of the network, or with `internal` in those of the machines. Default: none.
   */
  readonly ingress?: IngressArgs;
  /** The IAM role of the machines. Default: the role of all workers. */
  readonly role?: ClusterRoleArgs;
  /**
   * Labels of the nodes. Of Kubernetes' own labels, only those that a kubelet may set. Default:
   * none.
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Taints of the nodes by key, `<value>:<effect>` or `<effect>`. A node registers with them, so a
   * change affects only new machines. Default: none.
   */
  readonly taints?: Readonly<Record<string, string>>;
  /** Options of the pool's configuration. They override those of all workers. Default: none. */
  readonly machineConfiguration?: ClusterWorkerConfigurationArgs;
  /** Patches for the pool's configuration, applied after those of all workers. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  readonly metadataHopLimit?: number;
  readonly rootVolumeSizeGib?: number;
  /** Type and speed of the root volumes. Default: gp3's own. */
  readonly rootVolume?: VolumeSpeedArgs;
  /**
   * Volumes for workloads, by name, on each machine. Machines of a fixed pool keep those from their
   * creation; another choice replaces the machines of an auto scaling pool. Talos mounts them at
   * `/var/mnt/<name>`, beside the `userVolumes` of the configuration. Default: none.
   */
  readonly dataVolumes?: Readonly<Record<string, DataVolumeArgs>>;
  /** ARN of the key that encrypts root and data volumes; see `WorkerMachinesArgs`. Default: AWS' own key. */
  readonly kmsKeyId?: pulumi.Input<string>;
  /**
   * The placement group of the machines; see `WorkerMachinesArgs`. The preview refuses another one for
   * machines of a fixed pool, because they would be replaced. Default: none.
   */
  readonly placementGroup?: PlacementGroupArgs;
  /** The capacity reservation of the machines; see `WorkerMachinesArgs`. Default: EC2's. */
  readonly capacityReservation?: CapacityReservationArgs;
  readonly detailedMonitoring?: boolean;
  /** Additional tags for the pool's machines, volumes and groups. Default: none. */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
}

/** A pool with a fixed number of machines; see `WorkerPoolArgs`. */
export interface FixedClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs {
  readonly machineCount: number;
  readonly machines?: Readonly<Record<string, WorkerMachineArgs>>;
  readonly maxUnavailable?: MaxUnavailable;
  readonly drain?: NodeDrainArgs;
  readonly terminationProtection?: pulumi.Input<boolean>;
  readonly autoScaling?: never;
}

/** A pool whose machines an auto scaling group creates; see `AutoScalingArgs`. */
export interface AutoScalingClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs {
  readonly autoScaling: AutoScalingArgs;
  readonly machineCount?: never;
  readonly machines?: never;
  readonly maxUnavailable?: never;
  readonly drain?: never;
  readonly terminationProtection?: never;
}
