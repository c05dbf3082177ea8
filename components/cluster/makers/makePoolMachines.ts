import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import { AutoScalingWorkerPool } from "../../workers/autoScalingWorkerPool";
import { WorkerPool } from "../../workers/workerPool";
import type { WorkerDrainArgs } from "../../workers/workerPoolArgs";
import { hasCloudController } from "../addOns/hasCloudController";
import type {
  AutoScalingClusterWorkerPoolArgs,
  FixedClusterWorkerPoolArgs,
} from "../arguments/clusterWorkersArgs";
import { acceptedOfMachines } from "../plan/planBirth";
import type { ClusterPlan } from "../plan/planCluster";
import type { PoolBasis } from "./makePoolBasis";
import type { PoolScope, PoolDependencies } from "./poolDependencies";

/** Creates the machines of a pool with a fixed number of them. */
export function makeFixedPool(
  childName: string,
  pool: FixedClusterWorkerPoolArgs,
  { machines, configuration }: PoolBasis,
  { args, dependencies, child }: PoolScope,
): WorkerPool {
  return new WorkerPool(
    childName,
    defined({
      // Settings go on whole. What only the cluster reads, such as patches, a pool ignores.
      ...pool,
      ...machines,
      drain: drainOf(pool, args, dependencies),
      deletedWith: dependencies.secrets,
      networkZones: dependencies.network.zones,
      credentials: dependencies.credentials,
      endpoint: dependencies.talosEndpoint,
      redactedConfiguration: configuration.redactedConfiguration,
      revision: configuration.revision,
      machineRevisions: configuration.machineRevisions,
      publicApiGroupId: dependencies.publicApiGroupId,
      configurationDependsOn: dependencies.configurationDependsOn,
      applyTimeoutSeconds: args.applyTimeoutSeconds,
      applySettledSeconds: args.applySettledSeconds,
      acceptedChanges: acceptedOfMachines(args, dependencies.identity),
    }),
    { ...child, dependsOn: [...dependencies.bootDependsOn] },
  );
}

/** Creates the groups of a pool whose machines AWS makes. */
export function makeAutoScalingPool(
  childName: string,
  { autoScaling, ...pool }: AutoScalingClusterWorkerPoolArgs,
  { machines }: PoolBasis,
  { args, dependencies, child }: PoolScope,
): AutoScalingWorkerPool {
  return new AutoScalingWorkerPool(
    childName,
    defined({
      ...pool,
      ...machines,
      clusterAutoscaler: hasCloudController(args, pool),
      ...autoScaling,
      refreshDependsOn: dependencies.configurationDependsOn,
      kubernetes: dependencies.kubernetes,
    }),
    { ...child, dependsOn: [...dependencies.bootDependsOn] },
  );
}

/** How a pool's nodes are drained; the control plane gives access to Kubernetes. */
function drainOf(
  { drain = {} }: FixedClusterWorkerPoolArgs,
  args: ClusterPlan,
  dependencies: PoolDependencies,
): WorkerDrainArgs {
  return defined({
    ...drain,
    controlPlanes: reachableControlPlanes(dependencies),
    endpoint: args.facts.access.endpoint,
  });
}

/** Addresses of control plane machines. A stopped one has no public address. */
export function reachableControlPlanes({
  controlPlanes,
}: Pick<PoolDependencies, "controlPlanes">): pulumi.Output<string[]> {
  return pulumi
    .all([...controlPlanes])
    .apply((addresses) => addresses.filter((address) => address !== ""));
}
