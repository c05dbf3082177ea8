import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import type { IngressLoadBalancer } from "../../endpoint/ingressLoadBalancer";
import type { NodeRole } from "../../permissions/nodeRole";
import type { AutoScalingWorkerPool } from "../../workers/autoScalingWorkerPool";
import { withGpuTaint } from "../../workers/nvidiaGpu";
import type { WorkerMachine } from "../../workers/workerPool";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";
import type { ClusterPlan } from "../plan/planCluster";
import { makeMachineRole } from "./makeMachineRole";
import { makePoolBasis } from "./makePoolBasis";
import { makeAutoScalingPool, makeFixedPool } from "./makePoolMachines";
import { makePoolIngress } from "./poolIngress";
import type { WorkerSurroundings } from "./workerSurroundings";

/** A cluster's workers. */
export interface ClusterWorkers {
  /** The machines with names, pool by pool. */
  readonly machines: readonly (WorkerMachine & { readonly pool: string })[];
  /** Names of auto scaling groups by pool and by the key of their zone, or by `all`. */
  readonly groupNames: pulumi.Output<Record<string, Record<string, string>>>;
  /** The minimum number of machines in auto scaling groups. */
  readonly minimumUnnamed: number;
  /** The roles made for workers, by pool; `workers` is the role of pools without one of their own. */
  readonly roles: Readonly<Record<string, NodeRole>>;
  /** The load balancers in front of pools, by pool. */
  readonly ingress: Readonly<Record<string, IngressLoadBalancer>>;
  /** The auto scaling pools. */
  readonly pools: readonly AutoScalingWorkerPool[];
}

/**
 * Creates a cluster's worker pools.
 *
 * @param child options of a child of the cluster
 */
export function makeWorkerPools(
  name: string,
  args: ClusterPlan,
  around: WorkerSurroundings,
  child: pulumi.ComponentResourceOptions,
): ClusterWorkers {
  const scope = { args, around, child };
  const pools = Object.entries(args.workerPools).map(
    ([poolName, pool]) => [poolName, withGpuTaint(pool)] as const,
  );
  const roles: Record<string, NodeRole> = {};
  const ofRole = { machines: "worker", clusterName: around.clusterName, tags: args.tags };
  const profileFor = (key: string, given: ClusterRoleArgs | undefined) => {
    const { profile, role } = makeMachineRole(`${name}-${key}`, given, ofRole, child);
    Object.assign(roles, defined({ [key]: role }));
    return profile;
  };
  const sharedProfile = pools.some(([, { role }]) => role === undefined)
    ? profileFor("workers", args.workers.role)
    : undefined;
  const made = pools.map(([poolName, pool]) => {
    const childName = `${name}-${poolName}`;
    const profile = pool.role === undefined ? sharedProfile : profileFor(poolName, pool.role);
    const ingress = makePoolIngress(childName, pool, args, around, child);
    const basis = makePoolBasis(childName, pool, { poolName, profile, ingress }, scope);
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
        made.flatMap(({ poolName, scaling }) =>
          scaling === undefined ? [] : [[poolName, scaling.groupNames] as const],
        ),
      ),
    ),
    roles,
    ingress: Object.fromEntries(
      made.flatMap(({ poolName, ingress }) => (ingress === undefined ? [] : [[poolName, ingress]])),
    ),
    pools: made.flatMap(({ scaling }) => scaling ?? []),
    minimumUnnamed: pools.reduce(
      (sum, [, { autoScaling }]) => sum + (autoScaling?.minSize ?? 0),
      0,
    ),
  };
}
