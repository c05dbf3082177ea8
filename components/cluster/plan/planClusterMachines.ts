import type * as pulumi from "@pulumi/pulumi";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { planMachines } from "../../controlPlane/planMachines";
import {
  DEFAULT_INSTANCE_TYPE,
  DEFAULT_ROOT_VOLUME_GIB,
  type MachineSettings,
} from "../../machines/machineSettings";
import { type MachinePlan, spreadMachines } from "../../machines/spreadMachines";
import { planDataVolumes, type VolumeSpeedArgs } from "../../machines/volumes";
import type { PoolTier } from "../../network/planSubnets";
import type { InstanceRequirementsArgs } from "../../workers/autoScalingArgs";
import type { KarpenterPoolArgs } from "../../workers/karpenter/karpenterPoolArgs";
import { withGpuTaint } from "../../workers/nvidiaGpu";
import { planScalingGroups, type ScalingGroupPlan } from "../../workers/planScalingGroups";
import type { ClusterPlanInput } from "../arguments/chosenClusterArgs";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import { workerZoneKeys } from "./workerZones";

/** A volume that each machine has. */
export interface VolumePlan extends VolumeSpeedArgs {
  /** `root`, `etcd`, or `data <its name>`. */
  readonly name: string;
  readonly sizeGib: number;
}

/** The machines of a control plane, or of a pool. */
export interface MachinesPlan {
  readonly subnets: PoolTier;
  /** Keys of the zones that machines can be in. */
  readonly zoneKeys: readonly string[];
  readonly instanceType: pulumi.Input<string>;
  readonly volumes: readonly VolumePlan[];
  /** The machines with fixed names. */
  readonly named: readonly MachinePlan[];
  /** The groups, whose machines AWS makes. */
  readonly groups: readonly ScalingGroupPlan[];
}

/** The machines of a pool. */
export interface PoolPlan extends MachinesPlan {
  readonly name: string;
  /** With what the add-ons need. */
  readonly args: ClusterWorkerPoolArgs;
  readonly instanceType: string;
  /** Equivalent types, for groups. */
  readonly moreInstanceTypes: readonly string[];
  /** What machines of groups must have; the instance type then only sets the architecture. */
  readonly instanceRequirements: InstanceRequirementsArgs | undefined;
  /** What Karpenter may launch; there is no instance type then. */
  readonly karpenter: KarpenterPoolArgs | undefined;
}

/** All machines of a cluster. */
export interface ClusterMachines {
  readonly controlPlane: MachinesPlan;
  readonly pools: readonly PoolPlan[];
}

/** The machines of a cluster, with their places, types and volumes. */
export function planClusterMachines(args: ClusterPlanInput): ClusterMachines {
  const { controlPlane, facts } = args;
  const { machineCount = DEFAULT_MACHINE_COUNT, machines, etcdVolume } = controlPlane;
  const { subnets, zoneKeys } = facts.access;
  return {
    controlPlane: {
      subnets,
      zoneKeys,
      instanceType: controlPlane.instanceType ?? DEFAULT_INSTANCE_TYPE,
      volumes: [
        rootVolume(controlPlane),
        ...(etcdVolume === undefined ? [] : [volumePlan("etcd", etcdVolume)]),
      ],
      named: planMachines({ machineCount, zoneKeys, machines }),
      groups: [],
    },
    pools: Object.entries(args.workerPools).map(([name, pool]) =>
      planPool(name, withGpuTaint(pool), workerZoneKeys(pool, facts.zones)),
    ),
  };
}

function planPool(
  name: string,
  pool: ClusterWorkerPoolArgs,
  zoneKeys: readonly string[],
): PoolPlan {
  const { subnets = "public", instanceType = DEFAULT_INSTANCE_TYPE, autoScaling } = pool;
  return {
    name,
    args: pool,
    subnets,
    zoneKeys,
    instanceType,
    moreInstanceTypes: autoScaling?.moreInstanceTypes ?? [],
    instanceRequirements: autoScaling?.instanceRequirements,
    karpenter: pool.karpenter,
    volumes: [
      rootVolume(pool),
      ...planDataVolumes(pool.dataVolumes).map((data) =>
        volumePlan(`data ${data.name}`, data.volume),
      ),
    ],
    named: pool.machineCount === undefined ? [] : spreadMachines({ ...pool, zoneKeys }),
    groups: autoScaling === undefined ? [] : planScalingGroups(autoScaling, zoneKeys),
  };
}

/** The keys of the zones that have machines, or may get some: a few machines don't use all zones. */
export function zonesInUse({ named, groups }: MachinesPlan): string[] {
  const zoneKeys = [
    ...named.map(({ zoneKey }) => zoneKey),
    ...groups.flatMap((each) => each.zoneKeys),
  ];
  return [...new Set(zoneKeys)];
}

function rootVolume({ rootVolumeSizeGib, rootVolume: speed }: MachineSettings): VolumePlan {
  return volumePlan("root", { ...speed, sizeGib: rootVolumeSizeGib ?? DEFAULT_ROOT_VOLUME_GIB });
}

function volumePlan(
  name: string,
  { sizeGib, type = "gp3", iops, throughputMib }: VolumeSpeedArgs & { readonly sizeGib: number },
): VolumePlan {
  return {
    name,
    sizeGib,
    type,
    ...(iops !== undefined && { iops }),
    ...(throughputMib !== undefined && { throughputMib }),
  };
}
