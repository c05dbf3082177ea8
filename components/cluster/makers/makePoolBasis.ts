import * as pulumi from "@pulumi/pulumi";
import { MachineConfiguration } from "../../../provider";
import { madeOf } from "../../../provider/engine/markedInputs";
import { defined } from "../../defined";
import type { IngressLoadBalancer } from "../../endpoint/ingressLoadBalancer";
import { architectureOf } from "../../machines/instanceType";
import { imageSchematic, MachineImage } from "../../machines/machineImage";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import { dataUserVolumes } from "../../machines/volumes";
import { type NamedType, whenOffered } from "../../machines/whenOffered";
import { subnetIn } from "../../network/subnetIn";
import { zonesOfMachines } from "../../workers/checkWorkers";
import type { ClusterWorkerPoolArgs, ClusterWorkersArgs } from "../arguments/clusterWorkersArgs";
import { joinedPatches, ownPatches } from "../plan/machinePatches";
import type { ClusterPlan } from "../plan/planCluster";
import { subnetsOf, workerZoneKeys } from "../plan/workerZones";
import { plannedSettingsOf } from "../planned/plannedSettings";
import { withIngress } from "./poolIngress";
import type { PoolScope } from "./workerSurroundings";

/** What a pool's machines are made with, besides the settings of the pool. */
export type PoolBasis = ReturnType<typeof makePoolBasis>;

/** What was made for a pool before its machines. */
interface MadeForPool {
  readonly poolName: string;
  readonly profile: pulumi.Input<string> | undefined;
  readonly ingress: IngressLoadBalancer | undefined;
}

/** Finds the image of a pool's machines, and renders their configuration. */
export function makePoolBasis(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  { poolName, profile, ingress }: MadeForPool,
  { args, around, child }: PoolScope,
) {
  const { workers } = args;
  const { instanceType = DEFAULT_INSTANCE_TYPE, subnets: tier = "public" } = pool;
  const options = { ...workers.machineConfiguration, ...pool.machineConfiguration };
  const image = new MachineImage(
    `${childName}-image`,
    defined({
      talosVersion: args.talosVersion,
      architecture: architectureOf(instanceType),
      schematicId: imageSchematic(options),
      imageId: pool.imageId,
      owner: pool.imageOwner,
      imageName: pool.imageName,
    }),
    child,
  );
  const configuration = new MachineConfiguration(
    childName,
    defined({
      ...options,
      ...around.configuration,
      machineType: "worker" as const,
      nodeLabels: pool.labels,
      nodeTaints: pool.taints,
      ...userVolumesOf(pool, workers),
      patches: joinedPatches(workers.patches, pool.patches),
      machinePatches: ownPatches(pool.autoScaling === undefined ? pool.machines : undefined),
      plannedSettings: plannedSettingsOf({
        args,
        pool,
        role: "worker",
        clusterName: around.clusterName,
        endpoint: around.endpoint,
        machineCount: pool.machineCount,
      }),
    }),
    child,
  );
  const subnets = subnetsOf(around.network, tier);
  const machines = defined({
    clusterName: around.clusterName,
    subnets: Object.fromEntries(
      workerZoneKeys(pool, args.facts.zones).map((key) => [key, { id: subnetIn(subnets, key) }]),
    ),
    publicAddresses: tier === "public",
    instanceType,
    // AWS leaves out types that a zone does not have.
    imageId:
      pool.autoScaling?.instanceRequirements === undefined
        ? whenOffered(
            image.imageId,
            { types: typesOf(`workerPools.${poolName}`, pool), zones: zonesOf(pool, args) },
            { parent: image },
          )
        : image.imageId,
    securityGroupId: around.firewall.workerGroupId,
    targets: withIngress(pool.targets, ingress),
    instanceProfileName: profile,
    machineConfiguration: configuration.machineConfiguration,
    protect: args.protect,
    tags: pulumi.output(args.tags ?? {}).apply((tags) => ({ ...tags, ...pool.tags })),
  });
  return { machines, configuration };
}

/** Data volumes are user volumes of Talos, beside those of the configuration. */
function userVolumesOf(
  { machineConfiguration, dataVolumes }: ClusterWorkerPoolArgs,
  workers: ClusterWorkersArgs,
) {
  const others =
    machineConfiguration?.userVolumes ?? workers.machineConfiguration?.userVolumes ?? [];
  return dataVolumes === undefined
    ? {}
    : {
        userVolumes: madeOf(
          pulumi.output(others).apply((known = []) => [...known, ...dataUserVolumes(dataVolumes)]),
          others,
        ),
      };
}

function typesOf(
  path: string,
  { instanceType = DEFAULT_INSTANCE_TYPE, autoScaling }: ClusterWorkerPoolArgs,
): NamedType[] {
  const more = (autoScaling?.moreInstanceTypes ?? []).map((type, index) => ({
    property: `${path}.autoScaling.moreInstanceTypes[${index}]`,
    instanceType: type,
  }));
  return [{ property: `${path}.instanceType`, instanceType }, ...more];
}

/** The zones of a pool's machines: a small pool doesn't use all of its zones. */
function zonesOf(pool: ClusterWorkerPoolArgs, args: ClusterPlan): readonly string[] {
  const zoneKeys = workerZoneKeys(pool, args.facts.zones);
  if (pool.autoScaling !== undefined) {
    return zoneKeys;
  }
  return zonesOfMachines({ ...pool, zoneKeys });
}
