import type * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../../provider";
import type { IngressArgs } from "../../endpoint/ingressLoadBalancer";
import type { NodeDrainArgs } from "../../machines/nodeDrain";
import type { PoolTier } from "../../network/planSubnets";
import type { AutoScalingArgs } from "../../workers/autoScalingArgs";
import type { KarpenterPoolArgs } from "../../workers/karpenter/karpenterPoolArgs";
import type { GpuMaker } from "../../workers/nvidiaGpu";
import type { PoolSettings } from "../../workers/poolSettings";
import type { FixedPoolSettings } from "../../workers/workerPoolArgs";
import type {
  ClusterImageArgs,
  ClusterMachineConfigurationArgs,
  ClusterRoleArgs,
} from "./clusterControlPlaneArgs";

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

/** A pool of workers: a fixed number, an auto scaling group, or what Karpenter launches. */
export type ClusterWorkerPoolArgs =
  FixedClusterWorkerPoolArgs | AutoScalingClusterWorkerPoolArgs | KarpenterClusterWorkerPoolArgs;

/** Arguments of both kinds of pools; see `WorkerMachinesArgs`. */
export interface ClusterWorkerMachinesArgs extends PoolSettings, ClusterImageArgs {
  /**
   * Subnets of the machines. Machines in `private` subnets cannot be reached from outside the
   * network, need no public address, and reach the internet through NAT. `worker` subnets are
   * private ones in `network.workerCidrBlock`. Default: `public`.
   */
  readonly subnets?: PoolTier;
  /** Keys of the zones to use. Default: all zones of the network. */
  readonly zones?: readonly string[];
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
  /**
   * The maker of the machines' GPUs, for instance types that have some: `nvidia`. The machines then have the open kernel modules
   * and libraries of NVIDIA's driver, whose licence (EULA) you accept by it, load its modules, and their nodes have the taint
   * `nvidia.com/gpu` of the effect `NoSchedule`, unless `taints` says otherwise. They boot an image with these
   * system extensions, which your account must have: `SchematicImage`. What hands out GPUs to pods is for Kubernetes:
   * the add-on `nvidiaDevicePlugin` up to Talos v1.13, and NVIDIA's GPU operator after it. A change upgrades the machines of a fixed pool, which restarts each one. Default: none.
   */
  readonly gpu?: GpuMaker;
  /** Options of the pool's configuration. They override those of all workers. Default: none. */
  readonly machineConfiguration?: ClusterWorkerConfigurationArgs;
  /** Patches for the pool's configuration, applied after those of all workers. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /** Additional tags for the pool's machines, volumes and groups. Default: none. */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
}

/** A pool with a fixed number of machines; see `WorkerPoolArgs`. */
export interface FixedClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs, FixedPoolSettings {
  readonly drain?: NodeDrainArgs;
  readonly autoScaling?: never;
  readonly karpenter?: never;
}

/** A pool whose machines an auto scaling group creates; see `AutoScalingArgs`. */
export interface AutoScalingClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs {
  readonly autoScaling: AutoScalingArgs;
  readonly karpenter?: never;
  readonly machineCount?: never;
  readonly machines?: never;
  readonly maxUnavailable?: never;
  readonly drain?: never;
  readonly terminationProtection?: never;
}

/**
 * A pool whose machines Karpenter launches; see `KarpenterPoolArgs`. It needs `addOns.karpenter`. What follows from
 * the choice of a machine, such as `instanceType`, is said in `karpenter`.
 */
export interface KarpenterClusterWorkerPoolArgs extends ClusterWorkerMachinesArgs {
  readonly karpenter: KarpenterPoolArgs;
  readonly autoScaling?: never;
  readonly machineCount?: never;
  readonly machines?: never;
  readonly maxUnavailable?: never;
  readonly drain?: never;
  readonly terminationProtection?: never;
  readonly instanceType?: never;
  readonly gpu?: never;
  readonly ingress?: never;
  readonly targets?: never;
  readonly placementGroup?: never;
  readonly capacityReservation?: never;
  readonly cpuCredits?: never;
}
