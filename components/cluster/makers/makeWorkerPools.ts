import * as pulumi from "@pulumi/pulumi";
import type { IngressLoadBalancer } from "../../endpoint/ingressLoadBalancer";
import type { NodeRole } from "../../permissions/nodeRole";
import type { AutoScalingWorkerPool } from "../../workers/autoScalingWorkerPool";
import type { WorkerMachine } from "../../workers/workerPool";
import type { ClusterPlan } from "../plan/planCluster";
import { SHARED_ROLE } from "../plan/planClusterRoles";
import { type KarpenterPool, makeKarpenterPool } from "./makeKarpenterPool";
import { makeMachineRole } from "./makeMachineRole";
import { makePoolBasis } from "./makePoolBasis";
import { makeAutoScalingPool, makeFixedPool } from "./makePoolMachines";
import type { PoolDependencies } from "./poolDependencies";
import { makePoolIngress } from "./poolIngress";

/** A cluster's workers. */
export interface ClusterWorkers {
  /** The machines with names, pool by pool. */
  readonly machines: readonly (WorkerMachine & { readonly pool: string })[];
  /** Names of auto scaling groups by pool and by the key of their zone, or by `all`; none for a pool of Karpenter. */
  readonly groupNames: pulumi.Output<Record<string, Record<string, string>>>;
  /** The minimum number of machines in auto scaling groups. */
  readonly minimumUnnamed: number;
  /** The roles made for workers, by pool; `workers` is the role of pools without one of their own. */
  readonly roles: Readonly<Record<string, NodeRole>>;
  /** The load balancers in front of pools, by pool. */
  readonly ingress: Readonly<Record<string, IngressLoadBalancer>>;
  /** The auto scaling pools. */
  readonly pools: readonly AutoScalingWorkerPool[];
  /** What Karpenter is told of its pools. */
  readonly karpenterPools: readonly KarpenterPool[];
}

const NO_GROUPS = pulumi.output<Record<string, string>>({});

/**
 * Creates a cluster's worker pools.
 *
 * @param child options of a child of the cluster
 */
export function makeWorkerPools(
  name: string,
  args: ClusterPlan,
  dependencies: PoolDependencies,
  child: pulumi.ComponentResourceOptions,
): ClusterWorkers {
  const scope = { args, dependencies, child };
  const { pools } = args.machines;
  const ofRole = { machines: "worker", clusterName: dependencies.clusterName, tags: args.tags };
  const roles = Object.fromEntries(
    args.permissions.workers.map(
      (role) => [role.key, makeMachineRole(`${name}-${role.key}`, role, ofRole, child)] as const,
    ),
  );
  const made = pools.map((planned) => {
    const { name: poolName, args: pool } = planned;
    const childName = `${name}-${poolName}`;
    const role = roles[pool.role === undefined ? SHARED_ROLE : poolName];
    if (pool.karpenter !== undefined) {
      return { poolName, karpenter: makeKarpenterPool(childName, planned, pool, role, scope) };
    }
    const profile = role?.profile;
    const ingress = makePoolIngress(childName, pool, args, dependencies, child);
    const basis = makePoolBasis(childName, planned, { profile, ingress }, scope);
    return pool.autoScaling === undefined
      ? { poolName, ingress, fixed: makeFixedPool(childName, pool, basis, scope) }
      : { poolName, ingress, scaling: makeAutoScalingPool(childName, pool, basis, scope) };
  });
  return {
    machines: made.flatMap(({ poolName, fixed }) =>
      Object.values(fixed?.machines ?? {}).map((machine) => ({ ...machine, pool: poolName })),
    ),
    groupNames: pulumi.output(
      Object.fromEntries(
        made.flatMap(({ poolName, scaling, karpenter }) => [
          ...(scaling === undefined ? [] : [[poolName, scaling.groupNames] as const]),
          // It tells readers of outputs that there are machines without names.
          ...(karpenter === undefined ? [] : [[poolName, NO_GROUPS] as const]),
        ]),
      ),
    ),
    roles: Object.fromEntries(
      Object.entries(roles).flatMap(([key, { role }]) =>
        role === undefined ? [] : [[key, role] as const],
      ),
    ),
    ingress: Object.fromEntries(
      made.flatMap(({ poolName, ingress }) => (ingress === undefined ? [] : [[poolName, ingress]])),
    ),
    pools: made.flatMap(({ scaling }) => scaling ?? []),
    karpenterPools: made.flatMap(({ karpenter }) => karpenter ?? []),
    minimumUnnamed: pools
      .flatMap(({ groups }) => groups)
      .reduce((sum, { minSize }) => sum + minSize, 0),
  };
}
