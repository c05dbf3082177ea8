import * as pulumi from "@pulumi/pulumi";
import { MachineConfiguration } from "../../../provider";
import { madeOf } from "../../../provider/engine/markedInputs";
import { defined } from "../../defined";
import type { IngressLoadBalancer } from "../../endpoint/ingressLoadBalancer";
import { architectureOf } from "../../machines/instanceType";
import { imageSchematic, MachineImage } from "../../machines/machineImage";
import { dataUserVolumes } from "../../machines/volumes";
import { type NamedType, whenOffered } from "../../machines/whenOffered";
import { subnetIn } from "../../network/subnetIn";
import type { ClusterWorkerPoolArgs, ClusterWorkersArgs } from "../arguments/clusterWorkersArgs";
import { joinedPatches, ownPatches } from "../plan/machinePatches";
import { type PoolPlan, zonesInUse } from "../plan/planClusterMachines";
import { subnetsOf } from "../plan/workerZones";
import { plannedSettingsOf } from "../planned/plannedSettings";
import { withIngress } from "./poolIngress";
import type { PoolScope } from "./poolDependencies";

/** What a pool's machines are made with, besides the settings of the pool. */
export type PoolBasis = ReturnType<typeof makePoolBasis>;

/** What was made for a pool before its machines. */
interface MadeForPool {
  readonly profile: pulumi.Input<string> | undefined;
  readonly ingress: IngressLoadBalancer | undefined;
}

/** Finds the image of a pool's machines, and renders their configuration. */
export function makePoolBasis(
  childName: string,
  planned: PoolPlan,
  { profile, ingress }: MadeForPool,
  { args, dependencies, child }: PoolScope,
) {
  const { workers } = args;
  const { args: pool, subnets: tier, instanceType } = planned;
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
      ...dependencies.configuration,
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
        clusterName: dependencies.clusterName,
        endpoint: dependencies.endpoint,
        machineCount: pool.machineCount,
      }),
    }),
    child,
  );
  const subnets = subnetsOf(dependencies.network, tier);
  const machines = defined({
    clusterName: dependencies.clusterName,
    subnets: Object.fromEntries(
      planned.zoneKeys.map((key) => [key, { id: subnetIn(subnets, key) }]),
    ),
    publicAddresses: tier === "public",
    instanceType,
    // AWS leaves out types that a zone does not have.
    imageId:
      planned.instanceRequirements === undefined
        ? whenOffered(
            image.imageId,
            { types: typesOf(planned), zones: zonesInUse(planned) },
            { parent: image },
          )
        : image.imageId,
    securityGroupId: dependencies.firewall.workerGroupId,
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

function typesOf({ name, instanceType, moreInstanceTypes }: PoolPlan): NamedType[] {
  const path = `workerPools.${name}`;
  const more = moreInstanceTypes.map((type, index) => ({
    property: `${path}.autoScaling.moreInstanceTypes[${index}]`,
    instanceType: type,
  }));
  return [{ property: `${path}.instanceType`, instanceType }, ...more];
}
