import * as pulumi from "@pulumi/pulumi";
import {
  type ClientCredentials,
  MachineConfiguration,
  type MachineConfigurationArgs,
} from "../../provider";
import { madeOf } from "../../provider/engine/markedInputs";
import { defined } from "../defined";
import type { IngressLoadBalancer } from "../endpoint/ingressLoadBalancer";
import type { Firewall } from "../firewall/firewall";
import { architectureOf } from "../machines/instanceType";
import { imageSchematic, MachineImage } from "../machines/machineImage";
import { dataUserVolumes } from "../machines/volumes";
import { type NamedType, whenOffered } from "../machines/whenOffered";
import type { Network } from "../network/network";
import { subnetIn } from "../network/subnetIn";
import { NodeRole } from "../permissions/nodeRole";
import { AutoScalingWorkerPool } from "../workers/autoScalingWorkerPool";
import { zonesOfMachines } from "../workers/checkWorkers";
import type { NodeObserver } from "../workers/nodeObserver";
import { DEFAULT_WORKER_TYPE } from "../workers/poolSettings";
import { type WorkerMachine, WorkerPool } from "../workers/workerPool";
import type { WorkerDrainArgs } from "../workers/workerPoolArgs";
import { drainSecondsOf } from "./addOns/drainSecondsOf";
import { hasCloudController } from "./addOns/hasCloudController";
import type { ClusterRoleArgs } from "./arguments/clusterControlPlaneArgs";
import type {
  ClusterWorkersArgs,
  AutoScalingClusterWorkerPoolArgs,
  ClusterWorkerPoolArgs,
  FixedClusterWorkerPoolArgs,
} from "./arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { joinedPatches, ownPatches } from "./machinePatches";
import type { ClusterRotation } from "./makeRotation";
import { acceptedOfMachines } from "./planBirth";
import { planMachineAccess } from "./planMachineAccess";
import { plannedSettingsOf } from "./plannedSettings";
import { makePoolIngress, withIngress } from "./poolIngress";
import { workerZoneKeys } from "./workerZones";

/** The resources that workers need. */
export interface WorkerSurroundings {
  readonly clusterName: pulumi.Output<string>;
  readonly network: Network;
  readonly firewall: Firewall;
  /**
   * The group that must allow machines by their public addresses:
   * `ClusterEntrances.publicApiGroupId`.
   */
  readonly publicApiGroupId: pulumi.Output<string> | undefined;
  /** The arguments of every machine's configuration. */
  readonly configuration: Omit<MachineConfigurationArgs, "machineType">;
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Output<string>;
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The Talos API that forwards to workers. */
  readonly talosEndpoint: pulumi.Input<string>;
  /** Resources that exist before a machine boots. */
  readonly bootAfter: readonly pulumi.Resource[];
  /** How to ask Kubernetes whether nodes are ready; undefined if `up` does not wait for that. */
  readonly kubernetes: pulumi.Input<NodeObserver | undefined>;
  /** Addresses of the control plane machines for the Talos API. */
  readonly controlPlanes: readonly pulumi.Output<string>[];
  /** The discovery identity of this stage of its rotation; undefined without one. */
  readonly identity: ClusterRotation["identity"];
  /** The resource that is deleted with the whole cluster. */
  readonly secrets: pulumi.Resource;
  /** Resources that exist before a machine is configured. */
  readonly configureAfter: readonly pulumi.Resource[];
}

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

/** Settings that all pools of a cluster share. */
interface PoolScope {
  readonly args: TalosClusterArgs;
  readonly around: WorkerSurroundings;
  readonly child: pulumi.ComponentResourceOptions;
}

/**
 * Creates a cluster's worker pools.
 *
 * @param child options of a child of the cluster
 */
export function makeWorkerPools(
  name: string,
  args: TalosClusterArgs,
  around: WorkerSurroundings,
  child: pulumi.ComponentResourceOptions,
): ClusterWorkers {
  const scope = { args, around, child };
  const pools = Object.entries(args.workerPools ?? {});
  const roles: Record<string, NodeRole> = {};
  const profileFor = (key: string, given: ClusterRoleArgs | undefined) => {
    const { profile, role } = profileOf(`${name}-${key}`, given, scope);
    Object.assign(roles, defined({ [key]: role }));
    return profile;
  };
  const sharedProfile = pools.some(([, { role }]) => role === undefined)
    ? profileFor("workers", args.workers?.role)
    : undefined;
  const made = pools.map(([poolName, pool]) => {
    const childName = `${name}-${poolName}`;
    const profile = pool.role === undefined ? sharedProfile : profileFor(poolName, pool.role);
    const ingress = makePoolIngress(childName, pool, args, around, child);
    const common = commonOf(childName, pool, { poolName, profile, ingress }, scope);
    return pool.autoScaling === undefined
      ? { poolName, ingress, fixed: makeFixed(childName, pool, common, scope) }
      : { poolName, ingress, scaling: makeScaling(childName, pool, common, scope) };
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

/** The instance profile of machines: created, adopted, or none. */
function profileOf(
  childName: string,
  role: ClusterRoleArgs | undefined,
  { args, around, child }: PoolScope,
): { readonly profile?: pulumi.Input<string>; readonly role?: NodeRole } {
  const { none = false, instanceProfileName, ...choices } = role ?? {};
  if (none || instanceProfileName !== undefined) {
    return defined({ profile: instanceProfileName });
  }
  const { clusterName } = around;
  const made = new NodeRole(
    childName,
    defined({ machines: "worker", clusterName, ...choices, tags: args.tags }),
    child,
  );
  return { profile: made.instanceProfileName, role: made };
}

function commonOf(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  {
    poolName,
    profile: instanceProfileName,
    ingress,
  }: {
    readonly poolName: string;
    readonly profile: pulumi.Input<string> | undefined;
    readonly ingress: IngressLoadBalancer | undefined;
  },
  { args, around, child }: PoolScope,
) {
  const { workers = {} } = args;
  const { network } = around;
  const instanceType = pool.instanceType ?? DEFAULT_WORKER_TYPE;
  const image = new MachineImage(
    `${childName}-image`,
    defined({
      talosVersion: args.talosVersion,
      architecture: architectureOf(instanceType),
      schematicId: imageSchematic({
        ...workers.machineConfiguration,
        ...pool.machineConfiguration,
      }),
      imageId: pool.imageId,
      owner: pool.imageOwner,
      imageName: pool.imageName,
    }),
    child,
  );
  const configuration = new MachineConfiguration(
    childName,
    defined({
      ...workers.machineConfiguration,
      ...pool.machineConfiguration,
      ...around.configuration,
      machineType: "worker" as const,
      nodeLabels: pool.labels,
      nodeTaints: pool.taints,
      ...userVolumesOf(pool, workers),
      patches: joinedPatches(workers.patches, pool.patches),
      machinePatches: ownPatches(pool.autoScaling === undefined ? pool.machines : undefined),
      plannedSettings: plannedSettingsOf({
        ...{ args, pool, role: "worker", clusterName: around.clusterName },
        endpoint: around.endpoint,
        machineCount: pool.machineCount,
      }),
    }),
    child,
  );
  const { subnets: tier = "public" } = pool;
  const subnets = {
    public: network.publicSubnets,
    private: network.privateSubnets,
    worker: network.workerSubnets,
  }[tier];
  const common = defined({
    clusterName: around.clusterName,
    subnets: Object.fromEntries(
      workerZoneKeys(pool, args.network).map((key) => [key, { id: subnetIn(subnets, key) }]),
    ),
    publicAddresses: tier === "public",
    instanceType,
    // AWS leaves out types that a zone does not have.
    imageId:
      pool.autoScaling?.instanceRequirements === undefined
        ? whenOffered(
            image.imageId,
            {
              types: typesOf(`workerPools.${poolName}`, pool),
              zones: zonesOf(pool, args),
            },
            { parent: image },
          )
        : image.imageId,
    securityGroupId: around.firewall.workerGroupId,
    moreSecurityGroupIds: pool.moreSecurityGroupIds,
    targets: withIngress(pool.targets, ingress),
    instanceProfileName,
    machineConfiguration: configuration.machineConfiguration,
    metadataHopLimit: pool.metadataHopLimit,
    rootVolumeSizeGib: pool.rootVolumeSizeGib,
    rootVolume: pool.rootVolume,
    dataVolumes: pool.dataVolumes,
    kmsKeyId: pool.kmsKeyId,
    placementGroup: pool.placementGroup,
    capacityReservation: pool.capacityReservation,
    detailedMonitoring: pool.detailedMonitoring,
    protect: args.protect,
    tags: pulumi.output(args.tags ?? {}).apply((tags) => ({ ...tags, ...pool.tags })),
  });
  const { redactedConfiguration, revision, machineRevisions } = configuration;
  return { common, redactedConfiguration, revision, machineRevisions };
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

/** The zones of a pool's machines: a small pool doesn't use all of its zones. */
function typesOf(
  path: string,
  { instanceType = DEFAULT_WORKER_TYPE, autoScaling }: ClusterWorkerPoolArgs,
): NamedType[] {
  const more = (autoScaling?.moreInstanceTypes ?? []).map((type, index) => ({
    property: `${path}.autoScaling.moreInstanceTypes[${index}]`,
    instanceType: type,
  }));
  return [{ property: `${path}.instanceType`, instanceType }, ...more];
}

function zonesOf(pool: ClusterWorkerPoolArgs, args: TalosClusterArgs): string[] {
  const zoneKeys = workerZoneKeys(pool, args.network);
  if (pool.autoScaling !== undefined) {
    return zoneKeys;
  }
  return zonesOfMachines({ ...pool, zoneKeys });
}

type PoolBasis = ReturnType<typeof commonOf>;

function makeFixed(
  childName: string,
  pool: FixedClusterWorkerPoolArgs,
  { common, redactedConfiguration, revision, machineRevisions }: PoolBasis,
  { args, around, child }: PoolScope,
): WorkerPool {
  return new WorkerPool(
    childName,
    defined({
      ...common,
      machineCount: pool.machineCount,
      machines: pool.machines,
      maxUnavailable: pool.maxUnavailable,
      drain: drainOf(pool, args, around),
      deletedWith: around.secrets,
      networkZones: around.network.zones,
      terminationProtection: pool.terminationProtection,
      credentials: around.credentials,
      endpoint: around.talosEndpoint,
      redactedConfiguration,
      revision,
      machineRevisions,
      publicApiGroupId: around.publicApiGroupId,
      configureAfter: around.configureAfter,
      applyTimeoutSeconds: args.applyTimeoutSeconds,
      applySettledSeconds: args.applySettledSeconds,
      acceptedChanges: acceptedOfMachines(args, around.identity),
    }),
    { ...child, dependsOn: [...around.bootAfter] },
  );
}

/** How a pool's nodes are drained; the control plane gives access to Kubernetes. */
function drainOf(
  { drain = {} }: FixedClusterWorkerPoolArgs,
  args: TalosClusterArgs,
  { controlPlanes }: WorkerSurroundings,
): WorkerDrainArgs {
  return defined({
    ...drain,
    // A stopped machine has no public address.
    controlPlanes: pulumi
      .all([...controlPlanes])
      .apply((addresses) => addresses.filter((address) => address !== "")),
    endpoint: planMachineAccess(args).endpoint,
  });
}

function makeScaling(
  childName: string,
  pool: AutoScalingClusterWorkerPoolArgs,
  { common }: PoolBasis,
  { args, around, child }: PoolScope,
): AutoScalingWorkerPool {
  const { labels, taints } = pool;
  return new AutoScalingWorkerPool(
    childName,
    defined({
      ...common,
      clusterAutoscaler: hasCloudController(args, pool),
      drainSeconds: drainSecondsOf(args),
      ...pool.autoScaling,
      labels,
      taints,
      refreshAfter: around.configureAfter,
      kubernetes: around.kubernetes,
    }),
    { ...child, dependsOn: [...around.bootAfter] },
  );
}
