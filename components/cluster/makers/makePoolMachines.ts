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
import type { PoolScope, WorkerSurroundings } from "./workerSurroundings";

/** Creates the machines of a pool with a fixed number of them. */
export function makeFixedPool(
  childName: string,
  pool: FixedClusterWorkerPoolArgs,
  { machines, configuration }: PoolBasis,
  { args, around, child }: PoolScope,
): WorkerPool {
  return new WorkerPool(
    childName,
    defined({
      // Settings go on whole. What only the cluster reads, such as patches, a pool ignores.
      ...pool,
      ...machines,
      drain: drainOf(pool, args, around),
      deletedWith: around.secrets,
      networkZones: around.network.zones,
      credentials: around.credentials,
      endpoint: around.talosEndpoint,
      redactedConfiguration: configuration.redactedConfiguration,
      revision: configuration.revision,
      machineRevisions: configuration.machineRevisions,
      publicApiGroupId: around.publicApiGroupId,
      configureAfter: around.configureAfter,
      applyTimeoutSeconds: args.applyTimeoutSeconds,
      applySettledSeconds: args.applySettledSeconds,
      acceptedChanges: acceptedOfMachines(args, around.identity),
    }),
    { ...child, dependsOn: [...around.bootAfter] },
  );
}

/** Creates the groups of a pool whose machines AWS makes. */
export function makeAutoScalingPool(
  childName: string,
  { autoScaling, ...pool }: AutoScalingClusterWorkerPoolArgs,
  { machines }: PoolBasis,
  { args, around, child }: PoolScope,
): AutoScalingWorkerPool {
  return new AutoScalingWorkerPool(
    childName,
    defined({
      ...pool,
      ...machines,
      clusterAutoscaler: hasCloudController(args, pool),
      ...autoScaling,
      refreshAfter: around.configureAfter,
      kubernetes: around.kubernetes,
    }),
    { ...child, dependsOn: [...around.bootAfter] },
  );
}

/** How a pool's nodes are drained; the control plane gives access to Kubernetes. */
function drainOf(
  { drain = {} }: FixedClusterWorkerPoolArgs,
  args: ClusterPlan,
  around: WorkerSurroundings,
): WorkerDrainArgs {
  return defined({
    ...drain,
    controlPlanes: reachableControlPlanes(around),
    endpoint: args.facts.access.endpoint,
  });
}

/** Addresses of control plane machines. A stopped one has no public address. */
export function reachableControlPlanes({
  controlPlanes,
}: Pick<WorkerSurroundings, "controlPlanes">): pulumi.Output<string[]> {
  return pulumi
    .all([...controlPlanes])
    .apply((addresses) => addresses.filter((address) => address !== ""));
}
