import type * as pulumi from "@pulumi/pulumi";
import type {
  AutoScalingClusterWorkerPoolArgs,
  FixedClusterWorkerPoolArgs,
} from "../arguments/clusterWorkersArgs";
import type { ClusterJoin } from "./clusterJoin";

/** What a pool joins, and what a cluster says for its own pools. */
export interface JoinArgs {
  /**
   * The cluster: `TalosCluster.join`, or what another stack hands out as an output. Talos and Kubernetes are those of the cluster at
   * its last `up`. So bring the cluster up first, then this pool.
   */
  readonly cluster: pulumi.Input<ClusterJoin>;
  /** Pulumi refuses to delete or replace the machines. Default: false. */
  readonly protect?: boolean;
  /** How long a machine may take to become healthy with its configuration. Seconds. Default: 600. */
  readonly applyTimeoutSeconds?: pulumi.Input<number>;
  /** How long a machine must stay healthy before a change counts as done. Seconds. Default: 5. */
  readonly applySettledSeconds?: pulumi.Input<number>;
}

/**
 * A pool with a fixed number of machines. It needs the `administration` of the cluster. `zones` must be named if the cluster is in another
 * stack, because they decide which machines exist.
 */
export type FixedJoinedWorkerPoolArgs = Omit<FixedClusterWorkerPoolArgs, "ingress"> & JoinArgs;

/**
 * A pool whose machines an auto scaling group creates. If the cluster is in another stack, name the `zones`, and say in `autoScaling`
 * whether the cluster's add-ons work for it: `clusterAutoscaler`, and `drainSeconds` for the termination handler.
 */
export type AutoScalingJoinedWorkerPoolArgs = Omit<AutoScalingClusterWorkerPoolArgs, "ingress"> &
  JoinArgs;

/** Arguments of `JoinedWorkerPool`: those of a pool of `TalosCluster.workerPools`, and what it joins. */
export type JoinedWorkerPoolArgs = FixedJoinedWorkerPoolArgs | AutoScalingJoinedWorkerPoolArgs;
