import * as pulumi from "@pulumi/pulumi";
import { manifestOf } from "../../addOns/common/manifestOf";
import { orFailRun } from "../../failRun";
import { plainUserDataProblem } from "../../machines/userData";
import { subnetIn } from "../../network/subnetIn";
import { demand } from "../../problems";
import { KarpenterWorkerPool } from "../../workers/karpenter/karpenterWorkerPool";
import { planNodeClass } from "../../workers/karpenter/planNodeClass";
import { planNodePool } from "../../workers/karpenter/planNodePool";
import type { KarpenterClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import { poolPath } from "../checks/checkWorkerPools";
import type { PoolPlan } from "../plan/planClusterMachines";
import { subnetsOf } from "../plan/workerZones";
import type { MachineRole } from "./makeMachineRole";
import { makeOwnPoolConfiguration } from "./makePoolBasis";
import type { PoolScope } from "./poolDependencies";

/** What Karpenter is told of a pool. */
export interface KarpenterPool {
  readonly name: string;
  /** The NodePool and the EC2NodeClass. Secret: its machines' configuration is in it. */
  readonly manifest: pulumi.Output<string>;
  /** The role that Karpenter gives to the machines. */
  readonly roleArn: pulumi.Output<string>;
  /** The key of its machines' volumes, unless it is AWS' own. */
  readonly kmsKeyArn: pulumi.Output<string | undefined>;
}

/**
 * Makes what machines of a pool need that Karpenter launches: images, a configuration and a role. Karpenter learns of them by
 * an object, so nothing in AWS is made for the pool itself.
 *
 * @param role that is made for the machines; Karpenter must be allowed to give it to them
 */
export function makeKarpenterPool(
  childName: string,
  planned: PoolPlan,
  pool: KarpenterClusterWorkerPoolArgs,
  role: MachineRole | undefined,
  scope: PoolScope,
): KarpenterPool {
  const { args, dependencies, child } = scope;
  const { name, subnets: tier, zoneKeys } = planned;
  const { images, configuration } = makeOwnPoolConfiguration(childName, pool, undefined, scope);
  const [parent] = images;
  if (role?.role === undefined || role.profile === undefined || parent === undefined) {
    throw new Error(`the pool "${name}" has no role that Karpenter could give to machines`);
  }
  const subnets = subnetsOf(dependencies.network, tier);
  new KarpenterWorkerPool(
    childName,
    {
      karpenter: pool.karpenter,
      volumesGib: planned.volumes.reduce((sum, { sizeGib }) => sum + sizeGib, 0),
      publicAddresses: tier === "public",
    },
    child,
  );
  const nodePool = planNodePool({
    name,
    karpenter: pool.karpenter,
    labels: pool.labels,
    taints: pool.taints,
  });
  const manifest = pulumi
    .all([
      configuration.machineConfiguration,
      pulumi.all(images.map(({ imageId }) => imageId)),
      pulumi.all(zoneKeys.map((key) => subnetIn(subnets, key))),
      pulumi.all([dependencies.firewall.workerGroupId, ...(pool.moreSecurityGroupIds ?? [])]),
      pulumi.output(role.profile),
      pulumi.output(pool.kmsKeyId),
      pulumi.output(pool.detailedMonitoring),
      pulumi.all([pulumi.output(args.tags ?? {}), pulumi.output(pool.tags ?? {})]),
    ])
    .apply(([text, imageIds, subnetIds, groups, profile, kmsKeyId, detailedMonitoring, tags]) =>
      orFailRun(parent, () => {
        const [ofCluster, own] = tags;
        const nodeClass = planNodeClass({
          name,
          machineConfiguration: demand(poolPath(name), text, plainUserDataProblem),
          imageIds,
          subnetIds,
          securityGroupIds: groups,
          instanceProfileName: profile,
          publicAddresses: tier === "public",
          settings: pool,
          kmsKeyId,
          detailedMonitoring,
          dataVolumes: pool.dataVolumes,
          tags: { Name: childName, ...ofCluster, ...own },
        });
        return manifestOf([nodeClass, nodePool]);
      }),
    );
  return {
    name,
    manifest: pulumi.secret(manifest),
    roleArn: role.role.roleArn,
    kmsKeyArn: pulumi.output(pool.kmsKeyId),
  };
}
