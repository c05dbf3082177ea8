import * as pulumi from "@pulumi/pulumi";
import { MachineConfiguration, type MachineConfigurationArgs } from "../../../provider";
import { madeOf } from "../../../provider/engine";
import { defined } from "../../defined";
import type { IngressLoadBalancer } from "../../endpoint/ingressLoadBalancer";
import { type Architecture, architectureOf } from "../../machines/instanceType";
import { imageSchematic, MachineImage } from "../../machines/machineImage";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import { dataUserVolumes } from "../../machines/volumes";
import { type NamedType, whenOffered } from "../../machines/whenOffered";
import { subnetIn } from "../../network/subnetIn";
import { UNREGISTERED_TAINT } from "../../workers/karpenter/karpenterKinds";
import { DEFAULT_ARCHITECTURES } from "../../workers/karpenter/planNodePool";
import { withGpu } from "../../workers/nvidiaGpu";
import type { ClusterWorkerPoolArgs, ClusterWorkersArgs } from "../arguments/clusterWorkersArgs";
import { joinedPatches, ownPatches } from "../plan/machinePatches";
import { type PoolPlan, zonesInUse } from "../plan/planClusterMachines";
import { subnetsOf } from "../plan/workerZones";
import { plannedSettingsOf } from "../planned/plannedSettings";
import type { PoolConfigurationScope, PoolScope } from "./poolDependencies";
import { withIngress } from "./poolIngress";

/** What a pool's machines are made with, besides the settings of the pool. */
export type PoolBasis = ReturnType<typeof makePoolBasis>;

interface MadeForPool {
  readonly profile: pulumi.Input<string> | undefined;
  readonly ingress: IngressLoadBalancer | undefined;
}

/** What the configuration of a pool's machines is made of, besides the settings of the pool. */
export interface PoolSources {
  readonly talosVersion: pulumi.Input<string>;
  /** The arguments of every machine's configuration. */
  readonly shared: Omit<MachineConfigurationArgs, "machineType">;
  /** The options and patches of all workers. */
  readonly workers: Pick<ClusterWorkersArgs, "machineConfiguration" | "patches">;
  readonly plannedSettings: MachineConfigurationArgs["plannedSettings"];
}

/** Finds the images of a pool's machines, and renders their configuration. */
export function makePoolConfiguration(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  { talosVersion, shared, workers, plannedSettings }: PoolSources,
  child: pulumi.ComponentResourceOptions,
) {
  const { instanceType = DEFAULT_INSTANCE_TYPE } = pool;
  const options = withGpu(
    { ...workers.machineConfiguration, ...pool.machineConfiguration },
    pool.gpu,
  );
  const imageFor = (architecture: Architecture, imageName: string) =>
    new MachineImage(
      imageName,
      defined({
        talosVersion,
        architecture,
        schematicId: imageSchematic(options),
        imageId: pool.imageId,
        owner: pool.imageOwner,
        imageName: pool.imageName,
      }),
      child,
    );
  const images =
    pool.karpenter === undefined
      ? [imageFor(architectureOf(instanceType), `${childName}-image`)]
      : (pool.karpenter.architectures ?? DEFAULT_ARCHITECTURES).map((each) =>
          imageFor(each, `${childName}-image-${each}`),
        );
  // Karpenter says to Kubernetes what else describes the nodes of its machines.
  const node =
    pool.karpenter === undefined
      ? { nodeLabels: pool.labels, nodeTaints: pool.taints }
      : { nodeLabels: undefined, nodeTaints: UNREGISTERED_TAINT };
  const configuration = new MachineConfiguration(
    childName,
    defined({
      ...options,
      ...shared,
      machineType: "worker" as const,
      ...node,
      ...userVolumesOf(pool, workers),
      patches: joinedPatches(workers.patches, pool.patches),
      machinePatches: ownPatches(pool.machines),
      plannedSettings,
    }),
    child,
  );
  return { images, configuration };
}

/** The same for a pool of the cluster. */
export function makeOwnPoolConfiguration(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  machineCount: number | undefined,
  { args, dependencies, child }: PoolConfigurationScope,
): ReturnType<typeof makePoolConfiguration> {
  const { clusterName, endpoint, configuration: shared } = dependencies;
  const { talosVersion, workers } = args;
  const plannedSettings = plannedSettingsOf({
    args,
    pool,
    role: "worker",
    clusterName,
    endpoint,
    machineCount,
  });
  return makePoolConfiguration(
    childName,
    pool,
    { talosVersion, shared, workers, plannedSettings },
    child,
  );
}

/** What the machines of a pool of the cluster are made of, with its configuration. */
export function makePoolBasis(
  childName: string,
  planned: PoolPlan,
  { profile, ingress }: MadeForPool,
  scope: PoolScope,
) {
  const { args, dependencies } = scope;
  const { args: pool, subnets: tier, instanceType } = planned;
  const { images, configuration } = makeOwnPoolConfiguration(
    childName,
    pool,
    pool.machineCount,
    scope,
  );
  const image = onlyImage(images);
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
            { types: typesOf(`workerPools.${planned.name}.`, pool), zones: zonesInUse(planned) },
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

/** The image of machines of one architecture. */
export function onlyImage([image]: readonly MachineImage[]): MachineImage {
  if (image === undefined) {
    throw new Error("a pool has an image");
  }
  return image;
}

/** Data volumes are user volumes of Talos, beside those of the configuration. */
function userVolumesOf(
  { machineConfiguration, dataVolumes }: ClusterWorkerPoolArgs,
  workers: PoolSources["workers"],
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

/** The types that the machines of a pool may have, by the arguments that name them. */
export function typesOf(
  path: string,
  { instanceType = DEFAULT_INSTANCE_TYPE, autoScaling }: ClusterWorkerPoolArgs,
): NamedType[] {
  const more = (autoScaling?.moreInstanceTypes ?? []).map((type, index) => ({
    property: `${path}autoScaling.moreInstanceTypes[${index}]`,
    instanceType: type,
  }));
  return [{ property: `${path}instanceType`, instanceType }, ...more];
}
